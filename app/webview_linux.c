//go:build desktop

#include <gtk/gtk.h>
#include <string.h>
#include <webkit2/webkit2.h>

#include "_cgo_export.h"
#include "underlay_linux.h"

// The names of dragged files belong to their own drag: one that went away again
// leaves none behind.
#define FILES "baton-files"

// WebKit keeps the files of a drag from scripts, whatever page it shows, so the
// window takes their names itself.
static void received(GtkWidget *view, GdkDragContext *drag, gint x, gint y, GtkSelectionData *data, guint info, guint time, gpointer user) {
	gchar **uris = gtk_selection_data_get_uris(data);
	if (!uris)
		return;
	GString *files = g_string_new(NULL);
	for (gchar **u = uris; *u; u++) {
		gchar *host = NULL, *name = g_filename_from_uri(*u, &host, NULL);
		if (name && !host)
			g_string_append_printf(files, "%s\n", name);
		g_free(name);
		g_free(host);
	}
	g_strfreev(uris);
	g_object_set_data_full(G_OBJECT(drag), FILES, g_string_free(files, FALSE), g_free);
}

static gboolean dropped(GtkWidget *view, GdkDragContext *drag, gint x, gint y, guint time, gpointer user) {
	char *files = g_object_get_data(G_OBJECT(drag), FILES);
	if (files && *files)
		filesDropped(x, y, files);
	return FALSE; // WebKit ends the drag
}

// decide keeps the window at Baton's own interface: nothing that is dropped on it
// or that a script asks for leads elsewhere.
static gboolean decide(WebKitWebView *view, WebKitPolicyDecision *decision, WebKitPolicyDecisionType type, gpointer user) {
	if (type != WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION && type != WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION)
		return FALSE;
	WebKitNavigationAction *action = webkit_navigation_policy_decision_get_navigation_action(WEBKIT_NAVIGATION_POLICY_DECISION(decision));
	const char *to = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
	if (type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION && to && g_str_has_prefix(to, "wails://"))
		return FALSE;
	webkit_policy_decision_ignore(decision);
	return TRUE;
}

static void find(GtkWidget *w, gpointer found) {
	if (WEBKIT_IS_WEB_VIEW(w))
		*(GtkWidget **)found = w;
	else if (GTK_IS_CONTAINER(w))
		gtk_container_forall(GTK_CONTAINER(w), find, found);
}

static gboolean watch(gpointer user) {
	GtkWidget *view = NULL;
	GList *all = gtk_window_list_toplevels();
	for (GList *l = all; l; l = l->next)
		find(l->data, &view);
	g_list_free(all);
	if (!view)
		return G_SOURCE_CONTINUE; // it is not made yet
	g_signal_connect(view, "drag-data-received", G_CALLBACK(received), NULL);
	g_signal_connect(view, "drag-drop", G_CALLBACK(dropped), NULL);
	underlay_attach(view);
	g_signal_connect(view, "decide-policy", G_CALLBACK(decide), NULL);
	return G_SOURCE_REMOVE;
}

void watch_webview(void) { g_timeout_add(20, watch, NULL); }
