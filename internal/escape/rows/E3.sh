# E3: variables that lead to agents, displays and clouds
plant() {
	for n in SSH_AUTH_SOCK GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY XAUTHORITY DOCKER_HOST TMUX KUBECONFIG \
		GOOGLE_APPLICATION_CREDENTIALS VSCODE_IPC_HOOK_CLI WSL_INTEROP SWAYSOCK; do
		set_in "$n=/nowhere/handle"
	done
}
attack() { ! env | grep -q '=/nowhere/handle' || done_it; }
