"""Tables, plots and the book's page from the file of results."""
