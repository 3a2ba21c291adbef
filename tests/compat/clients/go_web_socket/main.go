// Has one conversation over a WebSocket with gorilla/websocket.
//
//	client URL
package main

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/gorilla/websocket"
)

func main() {
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, EnableCompression: true}
	socket, _, err := dialer.Dial(os.Args[1], nil)
	check(err)
	defer socket.Close()
	show(socket)
	say(socket, websocket.TextMessage, []byte(`{"question":"what is it?","numbers":[1,2.5,null]}`))
	show(socket)
	binary := make([]byte, 1000)
	for index := range binary {
		binary[index] = byte(index)
	}
	say(socket, websocket.BinaryMessage, binary)
	show(socket)
	say(socket, websocket.TextMessage, []byte(strings.Repeat("a longer message, ümlauts included. ", 30_000)))
	show(socket)
	say(socket, websocket.TextMessage, []byte("push"))
	for index := 0; index < 3; index++ {
		show(socket)
	}
	say(socket, websocket.TextMessage, []byte("close me"))
	_, _, err = socket.ReadMessage()
	fmt.Println(err)
	if websocket.IsCloseError(err, 4001) {
		os.Exit(22)
	}
}

func show(socket *websocket.Conn) {
	_, data, err := socket.ReadMessage()
	check(err)
	if len(data) < 200 {
		fmt.Printf("%q\n", data)
	} else {
		fmt.Printf("%d %x\n", len(data), sha256.Sum256(data))
	}
}

func say(socket *websocket.Conn, kind int, data []byte) {
	check(socket.WriteMessage(kind, data))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
