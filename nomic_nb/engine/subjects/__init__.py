"""What rules can be about beyond the kernel: a file a subject, found here by play; the kernel imports none of them."""
