# K6: io_uring, whose requests pass no filter
attack() { got io-uring; }
