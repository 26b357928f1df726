# canary-proof: an attack that always gets what it wants
attack() { done_it; }
