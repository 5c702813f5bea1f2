package example

type elector struct {
	elector *leaderelection.LeaderElector
	held    bool
}

func (e *elector) release() { e.held = false }
