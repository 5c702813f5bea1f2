package example

// A Controller makes snapshots of disks.
type Controller struct {
	client client.Client
	cloud  cloud
}

type cloud interface {
	Snapshot(id string, tags map[string]string) error
}

func (c *Controller) snapshots(ctx context.Context, disk *v1.Disk, zones []string) error {
	for _, zone := range zones {
		if err := c.snapshot(disk, zone); err != nil {
			return err
		}
	}
	return c.client.Update(ctx, disk)
}
