// The entries that Go calls, under one name of the isolated world.
import { element } from "./refs";
import { mark } from "./mark";
import { walk } from "./walk";

const entries = { walk, mark, element };

const world = globalThis as unknown as Record<string, unknown>;
world["__baton"] ??= entries;
