package goneby

import "time"

// A press works on for as long as a flag says.
type press struct {
	sheets chan string
	done   chan bool
	ended  chan bool
}

func newPress() *press {
	p := &press{sheets: make(chan string), done: make(chan bool), ended: make(chan bool)}
	go p.work(time.NewTicker(time.Minute))
	return p
}

func (p *press) work(ticker *time.Ticker) {
	var pile []string
	goesOn := true
	for goesOn {
		select {
		case sheet := <-p.sheets:
			pile = append(pile, sheet)
		case <-p.done:
			goesOn = false // only here
			p.ended <- true
		case <-ticker.C:
			pile = nil
		}
	}
	ticker.Stop()
}

func (p *press) halt() {
	p.done <- true // ok: the flag goes down with it alone
	<-p.ended
}

// A jammed press stops by itself, too.
type jammed struct {
	sheets chan string
	done   chan bool
}

func newJammed() *jammed {
	j := &jammed{sheets: make(chan string), done: make(chan bool)}
	go j.work()
	return j
}

func (j *jammed) work() {
	goesOn := true
	for goesOn {
		select {
		case sheet := <-j.sheets:
			goesOn = sheet != "crumpled"
		case <-j.done:
			goesOn = false
		}
	}
}

func (j *jammed) halt() {
	j.done <- true // want abandoned "this send waits forever once (*jammed).work has returned by itself (line 52): nobody else receives from done; close a channel in place of the send, or let the send wait for the end of the goroutine, too" @55 "the only one who receives" @52 "it returns here without a send"
}

// A counting press does so after some sheets.
type counting struct {
	sheets chan string
	done   chan bool
}

func newCounting() *counting {
	c := &counting{sheets: make(chan string), done: make(chan bool)}
	go c.work()
	return c
}

func (c *counting) work() {
	full := false
	for n := 0; !full; n++ {
		select {
		case <-c.sheets:
			if n > 100 {
				full = true
			}
		case <-c.done:
			full = true
		}
	}
}

func (c *counting) halt() {
	c.done <- true // want abandoned "this send waits forever once (*counting).work has returned by itself (line 80): nobody else receives from done; close a channel in place of the send, or let the send wait for the end of the goroutine, too" @83 "the only one who receives" @80 "it returns here without a send"
}

var _ = []any{newPress, newJammed, newCounting, (*press).halt, (*jammed).halt, (*counting).halt}
