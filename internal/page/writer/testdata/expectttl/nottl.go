package example

// A Reconciler is what the controller runs.
type Reconciler struct {
	client.Client
	expect *expectations
}

func (r *Reconciler) sync(ctx context.Context, req ctrl.Request) error {
	return r.Create(ctx, &corev1.Pod{})
}

// SatisfiedExpectations says whether all was seen.
func (e *expectations) SatisfiedExpectations(key string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.open[key].Len() == 0
}

// ExpectCreation expects one more.
func (e *expectations) ExpectCreation(key, name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open[key].Insert(name)
}

// CreationObserved takes one back.
func (e *expectations) CreationObserved(key, name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open[key].Delete(name)
}
