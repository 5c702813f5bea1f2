package abandoned

import (
	"context"
	"errors"
	"time"
)

type quote struct{ price int }

// ask gives out the channel for the one answer.
func (b *broker) ask(symbol string) <-chan quote {
	out := make(chan quote)
	go func() {
		out <- b.fetch(symbol) // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*broker).quote, returns because its context is done (line 26); give the channel a buffer of 1" @13 "the channel is created here" @26 "this select may take another case"
	}()
	return out
}

type broker struct{ fetch func(string) quote }

// quote leaves when its context ends.
func (b *broker) quote(ctx context.Context, symbol string) (quote, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	select {
	case q := <-b.ask(symbol):
		return q, nil
	case <-ctx.Done():
		return quote{}, ctx.Err()
	}
}

// late does so, too: the first of them is told of.
func (b *broker) late(symbol string) (quote, error) {
	answer := b.ask(symbol)
	select {
	case q := <-answer:
		return q, nil
	case <-time.After(time.Second):
		return quote{}, errors.New("too late")
	}
}

// patient gives out a channel for who waits.
func (b *broker) patient(symbol string) chan quote {
	out := make(chan quote)
	go func() { out <- b.fetch(symbol) }() // ok
	return out
}

func (b *broker) waits(symbol string) quote { return <-b.patient(symbol) }

// both waits for two.
func (b *broker) both(one, two string) (int, error) {
	first, second := b.patient(one), b.patient(two)
	return (<-first).price + (<-second).price, nil
}

// roomy has room.
func (b *broker) roomy(symbol string) <-chan quote {
	out := make(chan quote, 1)
	go func() { out <- b.fetch(symbol) }() // ok
	return out
}

func (b *broker) fromRoomy(ctx context.Context, symbol string) (quote, error) {
	select {
	case q := <-b.roomy(symbol):
		return q, nil
	case <-ctx.Done():
		return quote{}, ctx.Err()
	}
}

// handed gives it to somebody who drains it.
func (b *broker) handed(symbol string) <-chan quote {
	out := make(chan quote)
	go func() { out <- b.fetch(symbol) }() // ok
	return out
}

func (b *broker) fromHanded(ctx context.Context, symbol string, drain func(<-chan quote)) (quote, error) {
	answer := b.handed(symbol)
	select {
	case q := <-answer:
		return q, nil
	case <-ctx.Done():
		go drain(answer)
		return quote{}, ctx.Err()
	}
}

// checked asks before it is sure that it wants to know.
func (b *broker) checked(symbol string) (<-chan quote, error) {
	if symbol == "" {
		return nil, errors.New("no symbol")
	}
	out := make(chan quote)
	go func() { out <- b.fetch(symbol) }() // want abandoned "send blocks forever (goroutine leak) if its only receiver, (*broker).fromChecked, returns early (line 107); give the channel a buffer of 1" @99 "the channel is created here" @107 "returns here"
	return out, nil
}

func (b *broker) fromChecked(symbol string, allowed func(string) error) (quote, error) {
	answer, err := b.checked(symbol)
	if err != nil {
		return quote{}, err // ok
	}
	if err := allowed(symbol); err != nil {
		return quote{}, err
	}
	return <-answer, nil
}

var _ = []any{(*broker).quote, (*broker).late, (*broker).waits, (*broker).both, (*broker).fromRoomy, (*broker).fromHanded, (*broker).fromChecked}
