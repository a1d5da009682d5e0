//go:build desktop

#include <gtk/gtk.h>
#include <math.h>
#include <string.h>
#include <webkit2/webkit2.h>

#include "underlay_linux.h"

// The web view cannot be seen through: where nothing of it is drawn on what it
// leaves as it was. So it has a ground of one colour, a shade that nothing else
// has, and a pixel of that colour shows what lies under it. What is translucent,
// such as a shadow, is mixed with that ground: how much of it shows through tells
// a picture that the web view makes of itself without any ground, once it has
// changed there. Until that has come, what can be a shadow is taken for one, and
// other such pixels are a shade too light or dark.

// GTK's thread alone touches what follows.
static GtkWidget *view;
static cairo_surface_t *web;   // what the web view has drawn, device pixels
static cairo_surface_t *shown; // the picture, or NULL
static cairo_surface_t *lower; // what lies under the page's part
static cairo_surface_t *mixed; // both, in the page's part
static struct underlay_place at = {.chrome = 0x202124};

// veil is the web view without a ground; NULL when it has nothing over the page.
static cairo_surface_t *veil;
static struct span {
	int from, to; // where the veil is not transparent, in one row of the page's part
} *spans;
static guint64 *marks;         // of what lies over the page, a row each
static guint64 veiled, covers; // of all of it, when the veil was asked for and now
static gboolean asked;
static guint timer;     // to ask for the next veil
static gint64 asked_at; // microseconds, when the last one was asked for

// What moves over the page is looked at once it rests, since the web view draws
// all of itself twice for it.
enum { VEIL_AT_ONCE = 400 * 1000, VEIL_LATER = 150 }; // microseconds without one; milliseconds of rest

static int scale(void) { return gtk_widget_get_scale_factor(view); }
static unsigned ground(void) { return 0xff000000 | (at.chrome ^ 1); }
static int width_of(cairo_surface_t *s) { return cairo_image_surface_get_width(s); }
static int height_of(cairo_surface_t *s) { return cairo_image_surface_get_height(s); }

static guint32 *row(cairo_surface_t *s, int y) {
	return (guint32 *)(cairo_image_surface_get_data(s) + (size_t)y * cairo_image_surface_get_stride(s));
}

// sized gives a surface of that size: the old one where it has it.
static cairo_surface_t *sized(cairo_surface_t **s, int width, int height) {
	if (*s && width_of(*s) == width && height_of(*s) == height)
		return *s;
	if (*s)
		cairo_surface_destroy(*s);
	return *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
}

// redraw draws the page's part again.
static void redraw(void) {
	int k = scale();
	gtk_widget_queue_draw_area(view, at.wellX / k, at.wellY / k, (at.wellWidth + k - 1) / k, (at.wellHeight + k - 1) / k);
}

static void set_colour(cairo_t *c, unsigned colour) {
	cairo_set_source_rgb(c, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0);
}

// lay gives what lies under the page's part: the picture, and its ground about it.
static cairo_surface_t *lay(void) {
	int w = shown ? width_of(shown) : 0, h = shown ? height_of(shown) : 0;
	if (at.x == at.wellX && at.y == at.wellY && w == at.width && h == at.height && w == at.wellWidth && h == at.wellHeight)
		return shown;
	cairo_t *c = cairo_create(sized(&lower, at.wellWidth, at.wellHeight));
	set_colour(c, at.ground);
	cairo_paint(c);
	if (shown && at.width > 0 && at.height > 0) {
		cairo_translate(c, at.x - at.wellX, at.y - at.wellY);
		cairo_rectangle(c, 0, 0, at.width, at.height);
		cairo_clip(c);
		cairo_scale(c, (double)at.width / w, (double)at.height / h);
		cairo_set_source_surface(c, shown, 0, 0);
		cairo_pattern_set_filter(cairo_get_source(c), w == at.width && h == at.height ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
		cairo_pattern_set_extend(cairo_get_source(c), CAIRO_EXTEND_PAD);
		cairo_paint(c);
	}
	cairo_destroy(c);
	cairo_surface_flush(lower);
	return lower;
}

// over lays a pixel with its alpha, as cairo has it, over an opaque one.
static guint32 over(guint32 top, guint32 under) {
	guint32 rest = 255 - (top >> 24), out = top;
	for (int shift = 0; shift <= 8; shift += 8) { // two channels at a time
		guint32 two = (under >> shift & 0xff00ff) * rest + 0x800080;
		out += ((two + (two >> 8 & 0xff00ff)) >> 8 & 0xff00ff) << shift;
	}
	return out | 0xff000000;
}

static gboolean alike(guint32 a, guint32 b) {
	for (int shift = 0; shift < 24; shift += 8)
		if (ABS((int)(a >> shift & 255) - (int)(b >> shift & 255)) > 3)
			return FALSE;
	return TRUE;
}

// darkest is how much of 255 the scrim and the shadows of tokens.css cover at
// most, one over the other; text covers more.
static int darkest(guint32 key) { return (key >> 8 & 255) > 127 ? 120 : 217; }

// shadow tells how much of 255 covers the ground where a pixel can be the ground
// under a shadow or a scrim, which have one colour; 0 where it cannot, and for
// the window's own colour, which differs from the ground by one.
static guint32 shadow(guint32 top, guint32 key) {
	int far = 0, near = 0, from[3], by[3];
	for (int i = 0; i < 3; i++) {
		from[i] = (key >> 8 * i & 255);
		by[i] = from[i] - (int)(at.shade >> 8 * i & 255);
		far += by[i];
		near += from[i] - (int)(top >> 8 * i & 255);
	}
	if (top == (key ^ 1) || near <= 0 || far <= 0 || 255 * near / far > darkest(key))
		return 0;
	for (int i = 0; i < 3; i++)
		if (ABS(from[i] * far - by[i] * near - (int)(top >> 8 * i & 255) * far) > 2 * far)
			return 0;
	return MAX(1, 255 * near / far);
}

// shade lays a shadow over a pixel.
static guint32 shade(guint32 alpha, guint32 under) {
	guint32 top = alpha << 24;
	for (int shift = 0; shift < 24; shift += 8)
		top |= (at.shade >> shift & 255) * alpha / 255 << shift;
	return over(top, under);
}

// mix lays the web view's pixels over what lies under them, in the rows from one
// to another. It is true when some are translucent and it is not known how much.
static gboolean mix(cairo_surface_t *under, int from, int to) {
	guint32 key = ground(), last = key, alpha = 0; // alpha of the last one that was guessed
	gboolean guessed = FALSE;
	for (int y = from; y < to; y++) {
		const guint32 *w = row(web, at.wellY + y) + at.wellX, *p = row(under, y);
		const guint32 *v = veil ? row(veil, at.wellY + y) + at.wellX : NULL;
		guint32 *out = row(mixed, y);
		struct span span = v ? spans[y] : (struct span){0, 0};
		guint64 mark = 0;
		for (int x = 0; x < at.wellWidth; x++) {
			guint32 top = w[x] | 0xff000000, clear = x >= span.from && x < span.to ? v[x] : 0;
			if (top == key && !(clear >> 24)) {
				out[x] = p[x];
				continue;
			}
			mark = (mark ^ top ^ (guint64)x << 32) * 0x100000001b3;
			if (clear >> 24 && alike(over(clear, key), top))
				out[x] = over(clear, p[x]);
			else {
				guessed = TRUE;
				if (top == key) { // what lay here has gone
					out[x] = p[x];
					continue;
				}
				if (top != last)
					alpha = shown ? shadow(last = top, key) : 0;
				// What was opaque before is still.
				out[x] = alpha && clear >> 24 != 255 ? shade(alpha, p[x]) : top;
			}
		}
		mark *= 2 * y + 1; // the same elsewhere is not the same
		covers += mark - marks[y];
		marks[y] = mark;
	}
	return guessed;
}

// blend mixes the rows that are drawn again.
static gboolean blend(const cairo_region_t *parts, cairo_surface_t *under, int k) {
	gboolean guessed = FALSE;
	cairo_surface_flush(web);
	for (int i = 0, done = 0; i < cairo_region_num_rectangles(parts); i++) { // from the top down
		cairo_rectangle_int_t r;
		cairo_region_get_rectangle(parts, i, &r);
		int to = MIN(at.wellHeight, (r.y + r.height) * k - at.wellY);
		guessed |= mix(under, MAX(done, r.y * k - at.wellY), to);
		done = MAX(done, to);
	}
	cairo_surface_mark_dirty(mixed);
	return guessed;
}

// fits tells whether the page's part lies in a picture of the web view: it does
// not always while the window changes its size.
static gboolean fits(cairo_surface_t *s) {
	return at.wellX >= 0 && at.wellY >= 0 && at.wellWidth > 0 && at.wellHeight > 0 && at.wellX + at.wellWidth <= width_of(s) && at.wellY + at.wellHeight <= height_of(s);
}

// lift notes where the veil is not transparent.
static void lift(void) {
	spans = g_renew(struct span, spans, MAX(1, at.wellHeight));
	for (int y = 0; y < at.wellHeight; y++) {
		const guint32 *v = row(veil, at.wellY + y) + at.wellX;
		struct span s = {0, 0};
		for (int x = 0; x < at.wellWidth; x++)
			if (v[x] >> 24) {
				if (!s.to)
					s.from = x;
				s.to = x + 1;
			}
		spans[y] = s;
	}
}

static void drop_veil(void) { g_clear_pointer(&veil, cairo_surface_destroy); }

// taken gets the web view without a ground.
static void taken(GObject *object, GAsyncResult *result, gpointer user) {
	asked = FALSE;
	cairo_surface_t *s = webkit_web_view_get_snapshot_finish(WEBKIT_WEB_VIEW(object), result, NULL);
	drop_veil();
	if (s && view && web && cairo_image_surface_get_format(s) == CAIRO_FORMAT_ARGB32 && width_of(s) == width_of(web) && height_of(s) == height_of(web) && fits(s)) {
		veil = s;
		cairo_surface_flush(veil);
		lift();
	} else if (s)
		cairo_surface_destroy(s);
	if (view)
		redraw();
}

static gboolean ask(gpointer user) {
	timer = 0;
	if (asked || !view)
		return G_SOURCE_REMOVE; // what comes is looked at again
	asked = TRUE;
	asked_at = g_get_monotonic_time();
	veiled = covers;
	webkit_web_view_get_snapshot(WEBKIT_WEB_VIEW(view), WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_TRANSPARENT_BACKGROUND, NULL, taken, NULL);
	return G_SOURCE_REMOVE;
}

// drawn_again gives the parts of the web view that are drawn again: a caret and a
// spinner far apart are two small ones.
static cairo_region_t *drawn_again(cairo_t *cr, const GdkRectangle *all) {
	cairo_rectangle_list_t *list = cairo_copy_clip_rectangle_list(cr);
	cairo_region_t *parts = list->status ? cairo_region_create_rectangle(all) : cairo_region_create();
	for (int i = 0; !list->status && i < list->num_rectangles; i++) {
		cairo_rectangle_t *r = &list->rectangles[i];
		int x = floor(r->x), y = floor(r->y);
		cairo_region_union_rectangle(parts, &(cairo_rectangle_int_t){x, y, ceil(r->x + r->width) - x, ceil(r->y + r->height) - y});
	}
	cairo_rectangle_list_destroy(list);
	return parts;
}

// draw has the web view draw itself and lays the page's part under it.
static gboolean draw(GtkWidget *widget, cairo_t *cr, gpointer user) {
	GdkRectangle clip;
	if (!gdk_cairo_get_clip_rectangle(cr, &clip))
		return TRUE;
	int k = scale(), width = gtk_widget_get_allocated_width(view) * k, height = gtk_widget_get_allocated_height(view) * k;
	cairo_surface_set_device_scale(sized(&web, width, height), k, k);
	cairo_t *c = cairo_create(web);
	cairo_region_t *parts = drawn_again(cr, &clip);
	gdk_cairo_region(c, parts);
	cairo_clip(c);
	set_colour(c, ground()); // until it has drawn anything
	cairo_paint(c);
	GTK_WIDGET_GET_CLASS(view)->draw(view, c);
	cairo_destroy(c);

	GdkRectangle well = {at.wellX, at.wellY, at.wellWidth, at.wellHeight};
	GdkRectangle device = {clip.x * k, clip.y * k, clip.width * k, clip.height * k}, both;
	gboolean inside = fits(web) && gdk_rectangle_intersect(&well, &device, &both);
	if (!inside || !gdk_rectangle_equal(&both, &device)) {
		cairo_set_source_surface(cr, web, 0, 0);
		cairo_paint(cr);
	}
	if (!inside)
		goto out;
	if (!mixed || width_of(mixed) != at.wellWidth || height_of(mixed) != at.wellHeight) {
		sized(&mixed, at.wellWidth, at.wellHeight);
		g_free(marks);
		marks = g_new0(guint64, at.wellHeight);
		covers = 0;
	}
	if (veil && (width_of(veil) != width || height_of(veil) != height))
		drop_veil();
	guint64 before = covers;
	gboolean guessed = blend(parts, lay(), k);
	if (guessed && shown && covers != veiled && (covers != before || !timer)) {
		if (timer)
			g_source_remove(timer);
		timer = g_timeout_add(g_get_monotonic_time() - asked_at > VEIL_AT_ONCE ? 0 : VEIL_LATER, ask, NULL);
	}
	cairo_scale(cr, 1.0 / k, 1.0 / k);
	cairo_set_source_surface(cr, mixed, at.wellX, at.wellY);
	cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
	cairo_paint(cr);
out:
	cairo_region_destroy(parts);
	return TRUE;
}

// colour gives the web view its ground.
static void colour(void) {
	unsigned c = ground();
	GdkRGBA rgba = {(c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0, 1};
	webkit_web_view_set_background_color(WEBKIT_WEB_VIEW(view), &rgba);
}

void underlay_attach(void *web_view) {
	view = web_view;
	g_object_add_weak_pointer(web_view, (gpointer *)&view); // orders may come while the window closes
	colour();
	g_signal_connect(view, "draw", G_CALLBACK(draw), NULL);
}

// What other threads ask for waits here, the newest of each kind alone: GTK's
// thread may be busy.
static GMutex waiting;
static struct {
	struct underlay_place at;
	cairo_surface_t *picture;
	gboolean places, shows, called;
} order;

// obey does what was asked for.
static gboolean obey(gpointer user) {
	g_mutex_lock(&waiting);
	struct underlay_place to = order.at, was = at;
	cairo_surface_t *picture = order.picture;
	gboolean places = order.places, shows = order.shows;
	memset(&order, 0, sizeof order);
	g_mutex_unlock(&waiting);
	if (shows) {
		g_clear_pointer(&shown, cairo_surface_destroy);
		shown = picture;
	}
	if (places)
		at = to;
	if (!view)
		return G_SOURCE_REMOVE;
	if (!places) {
		redraw();
		return G_SOURCE_REMOVE;
	}
	if (at.chrome != was.chrome)
		colour();
	if (at.wellX != was.wellX || at.wellY != was.wellY || at.wellWidth != was.wellWidth || at.wellHeight != was.wellHeight) {
		drop_veil();
		veiled = 0;
	}
	gtk_widget_queue_draw(view);
	return G_SOURCE_REMOVE;
}

void underlay_order(const struct underlay_place *place, void *picture, int shows) {
	g_mutex_lock(&waiting);
	if (place) {
		order.at = *place;
		order.places = TRUE;
	}
	if (shows) {
		g_clear_pointer(&order.picture, cairo_surface_destroy);
		order.picture = picture;
		order.shows = TRUE;
	}
	gboolean call = !order.called;
	order.called = TRUE;
	g_mutex_unlock(&waiting);
	if (call)
		g_main_context_invoke(NULL, obey, NULL);
}
