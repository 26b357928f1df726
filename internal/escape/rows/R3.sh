# R3: fills a file system in memory, and with it the memory
attack() { got roomy "$H"; }
