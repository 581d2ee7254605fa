print("autorotate")
