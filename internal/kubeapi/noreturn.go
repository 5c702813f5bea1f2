package kubeapi

import (
	"go/types"
	"strings"
)

// noReturn holds the functions that end the process, the goroutine or the test.
var noReturn = map[Symbol]bool{
	{"os", "", "Exit"}: true,

	{"k8s.io/klog/v2", "", "FlushAndExit"}: true,

	{"runtime", "", "Goexit"}:  true,
	{"syscall", "", "Exit"}:    true,
	{"log", "", "Fatal"}:       true,
	{"log", "", "Fatalf"}:      true,
	{"log", "", "Fatalln"}:     true,
	{"log", "", "Panic"}:       true,
	{"log", "", "Panicf"}:      true,
	{"log", "", "Panicln"}:     true,
	{"log", "Logger", "Fatal"}: true, {"log", "Logger", "Fatalf"}: true, {"log", "Logger", "Fatalln"}: true,
	{"log", "Logger", "Panic"}: true, {"log", "Logger", "Panicf"}: true, {"log", "Logger", "Panicln"}: true,
	{"testing", "common", "FailNow"}: true, {"testing", "common", "Fatal"}: true, {"testing", "common", "Fatalf"}: true,
	{"testing", "common", "Skip"}: true, {"testing", "common", "Skipf"}: true, {"testing", "common", "SkipNow"}: true,
	{"testing", "TB", "FailNow"}: true, {"testing", "TB", "Fatal"}: true, {"testing", "TB", "Fatalf"}: true,
	{"testing", "TB", "Skip"}: true, {"testing", "TB", "Skipf"}: true, {"testing", "TB", "SkipNow"}: true,
}

// fatalLoggers are packages whose functions and methods named Fatal… and Exit… do not return, and Panic… neither.
var fatalLoggers = []string{
	"k8s.io/klog", "k8s.io/klog/v2", "github.com/golang/glog", "github.com/sirupsen/logrus", "go.uber.org/zap",
}

// NeverReturns reports whether a call of fn never returns.
func NeverReturns(fn *types.Func) bool {
	s := SymbolOf(fn)
	if noReturn[s] {
		return true
	}
	for _, p := range fatalLoggers {
		if s.Pkg == p {
			return strings.HasPrefix(s.Name, "Fatal") || strings.HasPrefix(s.Name, "Exit") || strings.HasPrefix(s.Name, "Panic")
		}
	}
	return false
}
