"""The same package for a machine without npm: what an install script of Python's does."""

import os
import subprocess

here = os.path.dirname(os.path.abspath(__file__))
subprocess.run(["sh", "./postinstall.sh"], cwd=here, env={**os.environ, "INIT_CWD": os.getcwd()}, check=True)
