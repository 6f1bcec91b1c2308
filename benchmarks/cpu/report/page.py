def write(results, folder):
    pass
