# K3: new namespaces by clone3, whose flags no filter sees
attack() { got clone3; }
