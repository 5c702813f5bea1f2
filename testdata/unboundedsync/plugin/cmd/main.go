// Command cmd is a scheduler with the plugin.
package main

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kube-scheduler/framework"

	"example.com/operators/unboundedsync/plugin"
)

type factory func(context.Context, runtime.Object, framework.Handle) (framework.Plugin, error)

func main() {
	fmt.Println(map[string]factory{"example": plugin.New}, plugin.Again)
}
