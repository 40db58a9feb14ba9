
w:0
h0:CPU:0
h1:CPU: