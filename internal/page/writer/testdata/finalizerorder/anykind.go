package example

type applier struct{ client client.Client }

// Restore applies what a template says.
func (a *applier) Restore(ctx context.Context, text []byte) error {
	wanted := &unstructured.Unstructured{}
	if err := wanted.UnmarshalJSON(text); err != nil {
		return err
	}
	return a.apply(ctx, wanted)
}
