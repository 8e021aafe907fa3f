"""A day put together: what it shows, which notes it touches, what is reported."""
