// What the window lays under the ground of its web view. All sizes are device
// pixels of the web view, colours 0xRRGGBB.

struct underlay_place {
	int x, y, width, height;                     // of the picture
	int wellX, wellY, wellWidth, wellHeight;     // of the page's part of the window
	unsigned ground, chrome;                     // of the page's part, and of all else
	unsigned shade;                              // of shadows and scrims
};

// underlay_attach draws under a web view from now on. On GTK's thread.
void underlay_attach(void *view);

// underlay_order sets the place, unless it is NULL, and, with shows, the picture,
// which it takes over; NULL is none. It returns before that shows.
void underlay_order(const struct underlay_place *place, void *picture, int shows);
