//go:build desktop

package app

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>
#include <string.h>

// What lies on a clipboard; NULL is a form that it has not.
typedef struct {
	char *text, *html;
	guchar *png;
	gsize html_size, size; // what was read of the HTML, and the png's
} clip;

static void clip_clear(clip *c) {
	g_free(c->text);
	g_free(c->html);
	g_free(c->png);
	memset(c, 0, sizeof *c);
}

enum { TEXT, HTML, PNG };

// give answers a program that pastes.
static void give(GtkClipboard *board, GtkSelectionData *to, guint form, gpointer data) {
	clip *c = data;
	if (form == TEXT)
		gtk_selection_data_set_text(to, c->text, -1);
	else if (form == HTML)
		gtk_selection_data_set(to, gtk_selection_data_get_target(to), 8, (guchar *)c->html, strlen(c->html));
	else
		gtk_selection_data_set(to, gtk_selection_data_get_target(to), 8, c->png, c->size);
}

static void dropped(GtkClipboard *board, gpointer data) {
	clip_clear(data);
	g_free(data);
}

// A job is done on GTK's own thread, while the caller waits for it.
typedef struct {
	gboolean primary, write;
	clip c;
	GMutex lock;
	GCond cond;
	gboolean done, ok;
} job;

static void job_free(gpointer data) {
	job *j = data;
	clip_clear(&j->c);
	g_mutex_clear(&j->lock);
	g_cond_clear(&j->cond);
}

static gboolean put(GtkClipboard *board, clip *c) {
	clip *kept = g_new0(clip, 1);
	*kept = *c;
	memset(c, 0, sizeof *c);
	GtkTargetList *list = gtk_target_list_new(NULL, 0);
	if (kept->html)
		gtk_target_list_add(list, gdk_atom_intern_static_string("text/html"), 0, HTML);
	if (kept->png)
		gtk_target_list_add(list, gdk_atom_intern_static_string("image/png"), 0, PNG);
	if (kept->text)
		gtk_target_list_add_text_targets(list, TEXT);
	int n = 0;
	GtkTargetEntry *forms = gtk_target_table_new_from_list(list, &n);
	gboolean ok = n > 0 && gtk_clipboard_set_with_data(board, forms, n, give, dropped, kept);
	if (ok)
		gtk_clipboard_set_can_store(board, NULL, 0); // it outlives the window where something keeps it
	else
		dropped(board, kept);
	gtk_target_table_free(forms, n);
	gtk_target_list_unref(list);
	return ok;
}

static char *raw(GtkClipboard *board, const char *form, gsize *size) {
	GdkAtom atom = gdk_atom_intern(form, FALSE);
	// Some programs answer with what they have, whatever is asked for.
	if (!gtk_clipboard_wait_is_target_available(board, atom))
		return NULL;
	GtkSelectionData *d = gtk_clipboard_wait_for_contents(board, atom);
	if (!d)
		return NULL;
	char *out = NULL;
	int n = gtk_selection_data_get_length(d);
	if (n > 0) {
		out = g_malloc(n + 1);
		memcpy(out, gtk_selection_data_get_data(d), n);
		out[n] = 0;
		*size = n;
	}
	gtk_selection_data_free(d);
	return out;
}

static gboolean run(gpointer data) {
	job *j = data;
	GtkClipboard *board = gtk_clipboard_get(j->primary ? GDK_SELECTION_PRIMARY : GDK_SELECTION_CLIPBOARD);
	clip got = {0};
	gboolean ok = TRUE;
	if (j->write) {
		ok = put(board, &j->c);
	} else {
		got.text = gtk_clipboard_wait_for_text(board);
		if (!j->primary) {
			got.html = raw(board, "text/html", &got.html_size);
			got.png = (guchar *)raw(board, "image/png", &got.size);
		}
	}
	g_mutex_lock(&j->lock);
	if (!j->write)
		j->c = got;
	j->done = TRUE;
	j->ok = ok;
	g_cond_signal(&j->cond);
	g_mutex_unlock(&j->lock);
	g_atomic_rc_box_release_full(j, job_free);
	return G_SOURCE_REMOVE;
}

// do_job has GTK's thread do it, and waits at most so many milliseconds. What was
// read is the caller's.
static gboolean do_job(gboolean primary, gboolean write, clip *c, int wait) {
	job *j = g_atomic_rc_box_new0(job);
	j->primary = primary;
	j->write = write;
	if (write) {
		j->c = *c;
		memset(c, 0, sizeof *c);
	}
	g_mutex_init(&j->lock);
	g_cond_init(&j->cond);
	g_idle_add_full(G_PRIORITY_DEFAULT, run, g_atomic_rc_box_acquire(j), NULL);
	gint64 end = g_get_monotonic_time() + wait * G_TIME_SPAN_MILLISECOND;
	g_mutex_lock(&j->lock);
	while (!j->done && g_cond_wait_until(&j->cond, &j->lock, end))
		;
	gboolean ok = j->done && j->ok;
	if (ok && !write) {
		*c = j->c;
		memset(&j->c, 0, sizeof j->c);
	}
	g_mutex_unlock(&j->lock);
	g_atomic_rc_box_release_full(j, job_free);
	return ok;
}
*/
import "C"

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
	"unsafe"
)

// clipWait bounds the wait for a clipboard, which another program may hold, in
// milliseconds.
const clipWait = 5000

var errClip = errors.New("the clipboard does not answer")

func setClip(_ context.Context, text, html string, image []byte) error {
	var c C.clip
	if text != "" {
		c.text = C.CString(text)
	}
	if html != "" {
		// Without it some programs take it for Latin-1.
		if !strings.HasPrefix(html, "<meta ") {
			html = `<meta charset="utf-8">` + html
		}
		c.html = C.CString(html)
	}
	if len(image) > 0 {
		c.png, c.size = (*C.guchar)(C.CBytes(image)), C.gsize(len(image))
	}
	if C.do_job(0, 1, &c, clipWait) == 0 {
		return errClip
	}
	return nil
}

func getClip(context.Context) (text, html string, image []byte, err error) {
	var c C.clip
	defer C.clip_clear(&c)
	if C.do_job(0, 0, &c, clipWait) == 0 {
		return "", "", nil, errClip
	}
	if c.text != nil {
		text = C.GoString(c.text)
	}
	if c.html_size > 0 && c.html_size < clipMost {
		html = decodeHTML(C.GoBytes(unsafe.Pointer(c.html), C.int(c.html_size)))
	}
	if c.size > 0 && c.size < clipMost {
		image = C.GoBytes(unsafe.Pointer(c.png), C.int(c.size))
	}
	return text, html, image, nil
}

// decodeHTML reads HTML as programs hand it on: in UTF-8 or, with its mark, in
// UTF-16.
func decodeHTML(b []byte) string {
	if len(b) < 2 || b[0] != 0xff || b[1] != 0xfe {
		return strings.TrimRight(string(b), "\x00")
	}
	units := make([]uint16, 0, len(b)/2)
	for i := 2; i+1 < len(b); i += 2 {
		units = append(units, binary.LittleEndian.Uint16(b[i:]))
	}
	return strings.TrimRight(string(utf16.Decode(units)), "\x00")
}

func setPrimary(text string) error {
	if text == "" {
		return nil
	}
	c := C.clip{text: C.CString(text)}
	if C.do_job(1, 1, &c, clipWait) == 0 {
		return errClip
	}
	return nil
}

func getPrimary() (string, error) {
	var c C.clip
	defer C.clip_clear(&c)
	if C.do_job(1, 0, &c, clipWait) == 0 {
		return "", errClip
	}
	if c.text == nil {
		return "", nil
	}
	return C.GoString(c.text), nil
}
