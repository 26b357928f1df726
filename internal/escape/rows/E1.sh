# E1: secrets in the environment
plant() {
	for n in API_TOKEN AWS_SECRET_ACCESS_KEY GITHUB_TOKEN NPM_TOKEN DB_PASSWORD GIT_CONFIG_VALUE_0; do
		set_in "$n=$S"
	done
	set_in "DATABASE_URL=postgres://user:$S@db.example/app"
	set_in "HTTPS_PROXY=http://user:$S@proxy.example:3128"
	set_in "http_proxy=user:$S@proxy.example:3128"
	set_in "npm_config__authToken=$S"
}
attack() { env; }
