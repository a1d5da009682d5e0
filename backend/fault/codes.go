package fault

// Code is a stable name of a kind of error, as agents see it.
type Code string

// The codes. Their meaning and default next step stand in the table below.
const (
	BadArguments        Code = "bad_arguments"
	NoSuchTab           Code = "no_such_tab"
	NotYourTab          Code = "not_your_tab"
	InUseByPerson       Code = "in_use_by_person"
	InterruptedByPerson Code = "interrupted_by_person"
	ProtectedBySecret   Code = "protected_by_secret"
	AccessOff           Code = "access_off"
	ApprovalDeclined    Code = "approval_declined"
	ApprovalExpired     Code = "approval_expired"
	TargetNotFound      Code = "target_not_found"
	TargetAmbiguous     Code = "target_ambiguous"
	TargetCovered       Code = "target_covered"
	TargetHidden        Code = "target_hidden"
	TargetDisabled      Code = "target_disabled"
	TargetNotEditable   Code = "target_not_editable"
	TargetGone          Code = "target_gone"
	SecretField         Code = "secret_field"
	UseSelect           Code = "use_select"
	DialogOpen          Code = "dialog_open"
	NoDialog            Code = "no_dialog"
	DialogClosed        Code = "dialog_closed"
	PageCrashed         Code = "page_crashed"
	PageBusy            Code = "page_busy"
	NavigationFailed    Code = "navigation_failed"
	AuthRequired        Code = "auth_required"
	TLSError            Code = "tls_error"
	SchemeNotAllowed    Code = "scheme_not_allowed"
	Timeout             Code = "timeout"
	Uncertain           Code = "uncertain"
	Cancelled           Code = "cancelled"
	ScriptError         Code = "script_error"
	ScriptLimit         Code = "script_limit"
	NoChooser           Code = "no_chooser"
	FileNotAllowed      Code = "file_not_allowed"
	ProfileMissing      Code = "profile_missing"
	EngineUnavailable   Code = "engine_unavailable"
	KeychainUnavailable Code = "keychain_unavailable"
	Unsupported         Code = "unsupported"
	HostBusy            Code = "host_busy"
	Internal            Code = "internal"
)

// Row describes one code for the documents and for a person.
type Row struct {
	Code    Code
	Meaning string // when it is given
	Next    string // the default next step for an agent
	Person  string // the next step for a person, as a button or a sentence
}

// Table lists every code, in the order of the documents.
var Table = []Row{
	{BadArguments, "An argument is missing, unknown or of the wrong form.", "correct the arguments as the message says and call again", ""},
	{NoSuchTab, "No tab has this id, or there is no current tab.", "call browser_tabs, or browser_open for a new one", ""},
	{NotYourTab, "The tab belongs to another agent, or the person keeps it private.", "use a tab of your own: browser_open", ""},
	{InUseByPerson, "The person holds the tab.", "wait for the person to give it back; use another tab meanwhile", "Give back"},
	{InterruptedByPerson, "The person took the tab over while the action ran.", "wait for the person, then take a fresh snapshot", "Give back"},
	{ProtectedBySecret, "A secret was entered and the tab is protected.", "wait until the page has moved on", ""},
	{AccessOff, "The person turned agents' access off.", "tell the person that browser access is off in Baton's settings", "Open settings"},
	{ApprovalDeclined, "The person declined.", "do not ask again for the same step", ""},
	{ApprovalExpired, "The approval no longer fits the page, or nobody could answer.", "take a fresh snapshot and try again", ""},
	{TargetNotFound, "Nothing on the page fits the target.", "take browser_snapshot, with query to find it", ""},
	{TargetAmbiguous, "Several elements fit the target.", "use a ref from a snapshot, or add nth", ""},
	{TargetCovered, "Another element would receive the click.", "deal with the covering element first, then try again", ""},
	{TargetHidden, "The element has no visible box.", "make it visible first, then take a snapshot", ""},
	{TargetDisabled, "The element is disabled.", "do what enables it first", ""},
	{TargetNotEditable, "The element takes no text.", "choose a field that can be edited", ""},
	{TargetGone, "The element or its document is no longer there.", "take a fresh snapshot", ""},
	{SecretField, "The field holds a secret.", "ask the person: request_takeover", ""},
	{UseSelect, "A native select is set with browser_select.", "call browser_select with one of its options", ""},
	{DialogOpen, "A dialog of the page waits for an answer.", "answer it with browser_dialog", "Answer the dialog"},
	{NoDialog, "No dialog is open.", "go on", ""},
	{DialogClosed, "The dialog was answered already.", "take a fresh snapshot", ""},
	{PageCrashed, "The page's process ended.", "call again: the page is loaded anew and older refs are gone", "Reload"},
	{PageBusy, "The page's main thread does not answer.", "wait and try again, or browser_navigate with reload", "Reload"},
	{NavigationFailed, "The page could not be loaded.", "check the address, or try again later", "Try again"},
	{AuthRequired, "The site asks for a user name and password.", "ask the person to sign in: request_takeover", "Sign in"},
	{TLSError, "The site's certificate is not to be trusted.", "tell the person; do not go round it", "Go back"},
	{SchemeNotAllowed, "Agents open http and https addresses only.", "use an http or https address", ""},
	{Timeout, "The call's time ran out.", "look at the page with browser_snapshot before trying again", ""},
	{Uncertain, "The action may have happened.", "look at the page with browser_snapshot before trying again", ""},
	{Cancelled, "The call was cancelled.", "take a fresh snapshot before going on", ""},
	{ScriptError, "The script threw.", "correct the script; what was done stays done", ""},
	{ScriptLimit, "The script passed one of its limits.", "split the work into smaller scripts", ""},
	{NoChooser, "No file chooser opened.", "give the file input or the button that opens it", ""},
	{FileNotAllowed, "The file is outside the folders that the agent was given.", "use a file inside the working folder", ""},
	{ProfileMissing, "The tab's profile no longer exists.", "open a tab in another profile", ""},
	{EngineUnavailable, "Chromium could not be started.", "tell the person to run `baton doctor`", "Run baton doctor"},
	{KeychainUnavailable, "The system's keychain does not answer.", "tell the person to run `baton doctor`", "Run baton doctor"},
	{Unsupported, "Baton cannot do this.", "take the way round that the message names", ""},
	{HostBusy, "Another Baton uses this data folder.", "use the running one, or another --data-dir", ""},
	{Internal, "Something went wrong inside Baton.", "try once more; if it goes on, tell the person to look at Baton's log", "Open the log"},
}

var rows = func() map[Code]Row {
	m := make(map[Code]Row, len(Table))
	for _, r := range Table {
		m[r.Code] = r
	}
	return m
}()

// Next gives the code's default next step for an agent.
func (c Code) Next() string { return rows[c].Next }

// Person gives the code's next step for a person; it may be empty.
func (c Code) Person() string { return rows[c].Person }
