# T5: sends escape sequences to the terminal
# terminal:
# open: all
# why: what is printed is the command's own; terminals decide what they obey
attack() {
	printf '\033]52;c;aGVsbG8=\a'
	done_it
}
