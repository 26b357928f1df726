# K8: switches off random addresses (personality)
attack() { got call personality; }
