// Tells which permissions the document was refused. Nothing of the page's own is touched: the state that Chromium keeps is
// watched, which goes to "denied" as it refuses. Only the page in the tab itself is looked at.
const BINDING = "__batonAsked";
const NAMES = ["geolocation", "notifications", "clipboard-read", "camera", "microphone"];

const kept: PermissionStatus[] = []; // a status that nobody holds tells nothing

function tell(name: string): void {
  (globalThis as unknown as Record<string, ((s: string) => void) | undefined>)[BINDING]?.(name);
}

export function watchPermissions(): void {
  if (window !== window.top || !isSecureContext || !navigator.permissions) return;
  for (const name of NAMES) {
    navigator.permissions.query({ name: name as PermissionName }).then(status => {
      kept.push(status);
      const look = () => { if (status.state === "denied") tell(name); };
      status.onchange = look;
      look();
    }, () => undefined);
  }
}
