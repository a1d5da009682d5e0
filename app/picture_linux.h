// Pictures of the page, decoded for cairo. One thread at a time.

#define PICTURE_JPEG 1 // FrameHeader.Format; all else is read as PNG

// picture_decode gives a cairo surface of that size, or NULL for what is none.
void *picture_decode(int format, const unsigned char *data, unsigned long size, int width, int height);

// Who has a picture frees it; picture_ref is for one more who does.
void *picture_ref(void *picture);
void picture_free(void *picture);
