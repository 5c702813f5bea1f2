package example

// A Controller reads pods from the cache of a manager.
type Controller struct{ client.Client }
