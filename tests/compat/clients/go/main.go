// Makes the four exchanges with net/http.
//
//	client ORIGIN [alone]
//
// With "alone" the client trusts no authority at all.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

const question = `{"question":"what is it?","numbers":[1,2.5,null]}`

func main() {
	origin := os.Args[1]
	client := http.DefaultClient
	if len(os.Args) > 2 && os.Args[2] == "alone" {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
		client = &http.Client{Transport: transport}
	}
	show(client.Get(origin + "/chunked"))
	show(client.Get(origin + "/gzip"))
	show(client.Post(origin+"/echo", "application/json", strings.NewReader(question)))
	last := show(client.Get(origin + "/repeated"))
	fmt.Println(last.Header.Values("x-part"))
	if last.StatusCode == 418 {
		os.Exit(22)
	}
}

func show(response *http.Response, err error) *http.Response {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(response.StatusCode, string(body))
	return response
}
