package app

// What the wire says of a page: what it asks, what is drawn for it, what is known of its site.

// FindArgs is for find.start: search a tab's page for a text.
type FindArgs struct {
	Tab       string `json:"tab"`
	Text      string `json:"text"`
	MatchCase bool   `json:"matchCase,omitempty"`
}

// FindStepArgs is for find.step: so many matches on, or back.
type FindStepArgs struct {
	Tab string `json:"tab"`
	By  int    `json:"by"`
}

// Find is how the search in a tab's page stands.
type Find struct {
	Tab       string     `json:"tab"`
	Text      string     `json:"text"`
	MatchCase bool       `json:"matchCase"`
	Count     int        `json:"count"`
	Active    int        `json:"active"` // from 1; 0 is none
	Marks     []FindMark `json:"marks"`  // of the matches in view
}

// FindMark is a piece of a match, in CSS pixels of the page's viewport.
type FindMark struct {
	Left   float64 `json:"left"`
	Top    float64 `json:"top"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	On     bool    `json:"on,omitempty"` // of the active match
}

// ImageArgs is for image.save and image.copy: an image of a tab's page.
type ImageArgs struct {
	Tab string `json:"tab"`
	URL string `json:"url"`
}

// ImageResult is an image as a data: address.
type ImageResult struct {
	Data string `json:"data"`
}

// Copied is text for the person's clipboard.
type Copied struct {
	Tab  string `json:"tab"`
	Text string `json:"text"`
}

// ClipResult is what clipboard.copy and clipboard.cut took, in every form that
// there is of it.
type ClipResult struct {
	Text  string `json:"text"`
	HTML  string `json:"html,omitempty"`
	Image string `json:"image,omitempty"` // a PNG in base64
}

// DialogArgs is for dialog.answer.
type DialogArgs struct {
	Tab    string `json:"tab"`
	Accept bool   `json:"accept"`
	Text   string `json:"text,omitempty"`
	Quiet  bool   `json:"quiet,omitempty"` // and no more dialogs of this page
}

// Dialog is a page's alert, confirm, prompt or beforeunload.
type Dialog struct {
	Tab     string `json:"tab"`
	Open    bool   `json:"open"`
	Kind    string `json:"kind"` // alert, confirm, prompt, beforeunload
	Message string `json:"message"`
	Default string `json:"default,omitempty"`
	Origin  string `json:"origin,omitempty"`
	For     string `json:"for"`            // "person", or the agent's name whose action opened it
	More    bool   `json:"more,omitempty"` // the page has shown several: it may be kept from showing more
}

// Asks are what a page asks of the person beside dialogs.
type Asks struct {
	Tab     string   `json:"tab"`
	Chooser *Chooser `json:"chooser,omitempty"`
	SignIn  *SignIn  `json:"signIn,omitempty"`
}

// Chooser asks for files: files.choose or files.cancel answers it.
type Chooser struct {
	ID       int      `json:"id"`
	Multiple bool     `json:"multiple"`
	Folder   bool     `json:"folder"` // a whole folder is asked for
	Accept   []string `json:"accept"` // as a page writes it: ".pdf", "image/*"
}

// SignIn asks for a site's or proxy's user name and password: signin.answer or
// signin.cancel answers it.
type SignIn struct {
	ID     int    `json:"id"`
	Origin string `json:"origin"`
	Realm  string `json:"realm"`
	Scheme string `json:"scheme"` // basic, digest, …
	Proxy  bool   `json:"proxy"`
	Wrong  bool   `json:"wrong"`  // the last answer was not taken
	For    string `json:"for"`    // the agent that was refused for want of it, or ""
	Secure bool   `json:"secure"` // the password goes over an encrypted connection
}

// AskArgs names a question of a tab's page: files.cancel, signin.cancel.
type AskArgs struct {
	Tab string `json:"tab"`
	ID  int    `json:"id"`
}

// SignInArgs is for signin.answer.
type SignInArgs struct {
	Tab      string `json:"tab"`
	ID       int    `json:"id"`
	User     string `json:"user"`
	Password string `json:"password"`
}

// ChooseArgs is for files.choose: Upload names what files.begin began, Paths are
// files of the host's computer, from the window's own dialog alone.
type ChooseArgs struct {
	Tab    string   `json:"tab"`
	ID     int      `json:"id"`
	Upload string   `json:"upload,omitempty"`
	Paths  []string `json:"paths,omitempty"`
}

// DropArgs is for files.drop: files dropped at a point of the page's viewport,
// CSS pixels. Upload and Paths are as in ChooseArgs.
type DropArgs struct {
	Tab    string   `json:"tab"`
	X      float64  `json:"x"`
	Y      float64  `json:"y"`
	Upload string   `json:"upload,omitempty"`
	Paths  []string `json:"paths,omitempty"`
}

// UploadArgs is for files.begin: files that are sent for a tab, in parts.
type UploadArgs struct {
	Tab   string       `json:"tab"`
	Files []UploadFile `json:"files"`
}

// UploadFile is one of them. Its name is a path with slashes where it is in a
// folder.
type UploadFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"` // bytes
}

// UploadResult names a batch.
type UploadResult struct {
	Upload string `json:"upload"`
}

// PartArgs is for files.part: the next bytes of a file, at most 1 MiB.
type PartArgs struct {
	Upload string `json:"upload"`
	Index  int    `json:"index"` // of the file in the batch
	Data   string `json:"data"`  // base64
}

// DropUploadArgs is for files.forget.
type DropUploadArgs struct {
	Upload string `json:"upload"`
}

// Site is what is known of the site that a tab shows: the result of site.info.
type Site struct {
	Origin      string       `json:"origin"`   // "" where the page has none
	Security    string       `json:"security"` // secure, insecure, neutral, "" unknown
	Problem     string       `json:"problem"`  // with the certificate, that the person went past: a sentence
	Protocol    string       `json:"protocol"`
	Subject     string       `json:"subject"`
	Issuer      string       `json:"issuer"`
	From        int64        `json:"from"` // of the certificate, Unix seconds; 0 unknown
	To          int64        `json:"to"`
	Cookies     int          `json:"cookies"`
	Permissions []Permission `json:"permissions"`
}

// Permission is what a site may do.
type Permission struct {
	Name    string `json:"name"`    // geolocation, notifications, clipboard-read, camera, microphone
	Setting string `json:"setting"` // allow, deny; "" is the default, which refuses
	Asked   bool   `json:"asked"`   // the page was refused it
}

// PermitArgs is for site.permit. Origin is that of the site.info shown.
type PermitArgs struct {
	Tab     string `json:"tab"`
	Origin  string `json:"origin"`
	Name    string `json:"name"`
	Setting string `json:"setting"`
}

// PassResult says whether the person may open a page in spite of its
// certificate.
type PassResult struct {
	May bool   `json:"may"`
	Why string `json:"why,omitempty"` // why not, a sentence
}

// Surface is what Chromium would draw outside a page and the interface draws
// for it. Kind: select, date, time, datetime-local, month, week, color, list
// (suggestions that go with what is typed), menu (a context menu), "" when it has
// gone.
type Surface struct {
	Tab      string          `json:"tab"`
	ID       int             `json:"id"`
	Kind     string          `json:"kind"`
	Left     float64         `json:"left"` // of the field or point, CSS pixels of the page's viewport
	Top      float64         `json:"top"`
	Width    float64         `json:"width"`
	Height   float64         `json:"height"`
	Size     float64         `json:"size,omitempty"` // of the field's font, CSS pixels
	RTL      bool            `json:"rtl,omitempty"`
	Options  []SurfaceOption `json:"options,omitempty"`
	Index    int             `json:"index,omitempty"` // the select's chosen option
	Value    string          `json:"value,omitempty"`
	Min      string          `json:"min,omitempty"`
	Max      string          `json:"max,omitempty"`
	Step     string          `json:"step,omitempty"`
	Required bool            `json:"required,omitempty"`
	Text     string          `json:"text,omitempty"` // what is selected, of a menu
	Link     string          `json:"link,omitempty"`
	LinkText string          `json:"linkText,omitempty"`
	Image    string          `json:"image,omitempty"`
	Media    string          `json:"media,omitempty"`
	Editable bool            `json:"editable,omitempty"`
	Secret   bool            `json:"secret,omitempty"`
	Frame    string          `json:"frame,omitempty"` // address of the frame under the pointer
}

// SurfaceOption is one line of a list.
type SurfaceOption struct {
	Index    int    `json:"index"`
	Label    string `json:"label"`
	Value    string `json:"value,omitempty"`
	Group    string `json:"group,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	Selected bool   `json:"selected,omitempty"`
}

// SurfaceArgs is for surface.choose (a select's Index), surface.set (a Value)
// and surface.close.
type SurfaceArgs struct {
	Tab   string `json:"tab"`
	ID    int    `json:"id"`
	Index int    `json:"index,omitempty"`
	Value string `json:"value,omitempty"`
}
