"""What is kept of logs, so that later questions read only the blocks that can answer them."""
