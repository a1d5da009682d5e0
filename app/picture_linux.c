//go:build desktop

#include <glib.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cairo.h>
#include <jpeglib.h>

#include "picture_linux.h"

void *picture_ref(void *picture) { return cairo_surface_reference(picture); }

void picture_free(void *picture) { cairo_surface_destroy(picture); }

// Surfaces that pictures were decoded into are used again: fresh memory costs as
// much as half of the decoding. The decoder's thread alone touches them.
static cairo_surface_t *spare[4];

static cairo_surface_t *surface(int width, int height) {
	int free = -1;
	for (unsigned i = 0; i < G_N_ELEMENTS(spare); i++) {
		if (!spare[i]) {
			free = i;
			continue;
		}
		if (cairo_surface_get_reference_count(spare[i]) != 1)
			continue; // it waits or shows
		if (cairo_image_surface_get_width(spare[i]) == width && cairo_image_surface_get_height(spare[i]) == height)
			return cairo_surface_reference(spare[i]);
		g_clear_pointer(&spare[i], cairo_surface_destroy);
		free = i;
	}
	cairo_surface_t *s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
	if (free >= 0)
		spare[free] = cairo_surface_reference(s);
	return s;
}

struct trouble {
	struct jpeg_error_mgr manager;
	jmp_buf back;
};

static void fails(j_common_ptr jpeg) { longjmp(((struct trouble *)jpeg->err)->back, 1); }
static void quiet(j_common_ptr jpeg, int level) {}

static cairo_surface_t *jpeg(const unsigned char *data, unsigned long size, int width, int height) {
	struct jpeg_decompress_struct d;
	struct trouble trouble;
	cairo_surface_t *volatile s = NULL;
	d.err = jpeg_std_error(&trouble.manager);
	trouble.manager.error_exit = fails;
	trouble.manager.emit_message = quiet;
	if (setjmp(trouble.back)) {
		jpeg_destroy_decompress(&d);
		if (s)
			cairo_surface_destroy(s);
		return NULL;
	}
	jpeg_create_decompress(&d);
	jpeg_mem_src(&d, data, size);
	jpeg_read_header(&d, TRUE);
	if ((int)d.image_width != width || (int)d.image_height != height)
		fails((j_common_ptr)&d);
	d.out_color_space = JCS_EXT_BGRX; // as cairo has it where the lowest byte comes first
	jpeg_start_decompress(&d);
	s = surface(width, height);
	if (cairo_surface_status(s))
		fails((j_common_ptr)&d);
	cairo_surface_flush(s);
	unsigned char *bits = cairo_image_surface_get_data(s);
	int stride = cairo_image_surface_get_stride(s);
	while (d.output_scanline < d.output_height) {
		JSAMPROW row = bits + (size_t)d.output_scanline * stride;
		jpeg_read_scanlines(&d, &row, 1);
	}
	jpeg_finish_decompress(&d);
	jpeg_destroy_decompress(&d);
	cairo_surface_mark_dirty(s);
	return s;
}

struct bytes {
	const unsigned char *data;
	unsigned long left;
};

static cairo_status_t next(void *closure, unsigned char *to, unsigned n) {
	struct bytes *b = closure;
	if (n > b->left)
		return CAIRO_STATUS_READ_ERROR;
	memcpy(to, b->data, n);
	b->data += n;
	b->left -= n;
	return CAIRO_STATUS_SUCCESS;
}

void *picture_decode(int format, const unsigned char *data, unsigned long size, int width, int height) {
	if (format == PICTURE_JPEG)
		return jpeg(data, size, width, height);
	struct bytes b = {data, size};
	cairo_surface_t *s = cairo_image_surface_create_from_png_stream(next, &b);
	if (!cairo_surface_status(s) && cairo_image_surface_get_width(s) == width && cairo_image_surface_get_height(s) == height)
		return s;
	cairo_surface_destroy(s);
	return NULL;
}
