package page

import (
	"context"
	"encoding/base64"

	"baton/backend/cdp"
	"baton/backend/fault"
)

// Resource fetches a small file as the page itself would, with its cache and
// without credentials; at most limit bytes.
func (p *Page) Resource(ctx context.Context, url string, limit int) ([]byte, error) {
	ctx, cancel := p.bind(ctx)
	defer cancel()
	var r struct {
		Resource struct {
			Success bool   `json:"success"`
			Stream  string `json:"stream"`
		} `json:"resource"`
	}
	err := p.sess.Call(ctx, "Network.loadNetworkResource", map[string]any{
		"frameId": p.root, "url": url, "options": map[string]any{"disableCache": false, "includeCredentials": false},
	}, &r)
	if err != nil {
		return nil, p.explain(ctx, err)
	}
	if r.Resource.Stream == "" {
		return nil, fault.New(fault.NavigationFailed, "the file could not be fetched")
	}
	if !r.Resource.Success {
		_, _ = p.sess.Send(context.WithoutCancel(ctx), "IO.close", map[string]any{"handle": r.Resource.Stream})
		return nil, fault.New(fault.NavigationFailed, "the file could not be fetched")
	}
	return p.stream(ctx, p.sess, r.Resource.Stream, limit)
}

// stream reads and closes what Chromium hands over in pieces.
func (p *Page) stream(ctx context.Context, s *cdp.Session, handle string, limit int) (out []byte, err error) {
	defer func() {
		_, _ = s.Send(context.WithoutCancel(ctx), "IO.close", map[string]any{"handle": handle})
	}()
	for {
		var chunk struct {
			Data   string `json:"data"`
			Base64 bool   `json:"base64Encoded"`
			EOF    bool   `json:"eof"`
		}
		if err := s.Call(ctx, "IO.read", map[string]any{"handle": handle, "size": 256 << 10}, &chunk); err != nil {
			return nil, p.explain(ctx, err)
		}
		b := []byte(chunk.Data)
		if chunk.Base64 {
			if b, err = base64.StdEncoding.DecodeString(chunk.Data); err != nil {
				return nil, err
			}
		}
		if out = append(out, b...); len(out) > limit {
			return nil, fault.New(fault.Unsupported, "the file is larger than %d bytes", limit)
		}
		if chunk.EOF {
			return out, nil
		}
	}
}
