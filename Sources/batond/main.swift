print("batond")
