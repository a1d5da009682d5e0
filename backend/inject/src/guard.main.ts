// The second bundle, loaded only into documents that may show a cookie banner or a bot check.
import { bannerButton, bannerGone, bannerWatch } from "./banner";
import { challenge } from "./challenge";

(globalThis as unknown as Record<string, unknown>)["__batonGuard"] ??= { bannerWatch, bannerButton, bannerGone, challenge };
