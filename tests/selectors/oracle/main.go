// Writes what Kubernetes itself says of label selectors: one JSON object a line, as tests/selectors/README.md says.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	"k8s.io/apimachinery/pkg/labels"
)

type verdict struct {
	Selector string `json:"selector"`
	// Which of the label sets it matches; null where it is refused.
	Matches []bool `json:"matches"`
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	output.SetEscapeHTML(false)
	var sets struct {
		Labels []labels.Set `json:"labels"`
	}
	input.Scan()
	check(json.Unmarshal(input.Bytes(), &sets))
	check(output.Encode(sets))
	for input.Scan() {
		var line verdict
		check(json.Unmarshal(input.Bytes(), &line))
		line.Matches = nil
		if selector, err := labels.Parse(line.Selector); err == nil {
			line.Matches = []bool{}
			for _, set := range sets.Labels {
				line.Matches = append(line.Matches, selector.Matches(set))
			}
		}
		check(output.Encode(line))
	}
	check(input.Err())
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
