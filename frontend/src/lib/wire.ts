// Generated from app/wire*.go by build/gen: change it there.
export * from './wire/agents'
export * from './wire/browsing'
export * from './wire/pages'
export * from './wire/tabs'
export * from './wire/views'
export * from './wire/wire'
