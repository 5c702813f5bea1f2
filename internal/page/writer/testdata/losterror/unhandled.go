package example

type gardens struct{ client.Client }
