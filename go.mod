module jail

go 1.26
