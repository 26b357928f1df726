# K10: a thread that the filter was not loaded for
attack() { got threads; }
