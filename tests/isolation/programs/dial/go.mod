module agrepl.test/dial

go 1.21
