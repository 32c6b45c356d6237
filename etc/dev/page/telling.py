"""The lists of stories."""


def teller():
    """Returns a list of stories, `(title, short, function)`, and the decorator that adds to it; `short` ones are of the subset."""
    stories = []

    def story(title, short=False):
        def add(function):
            stories.append((title, short, function))
            return function
        return add

    return stories, story
