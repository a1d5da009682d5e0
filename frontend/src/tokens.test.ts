// WCAG 2.2 AA: text on its ground has a contrast of 4.5:1 (1.4.3), marks and
// focus rings one of 3:1 (1.4.11), in both themes.
import { expect, test } from 'vitest'
import css from './tokens.css?raw'

type Rgb = [number, number, number]

// value gives a token as it is in one theme.
function value(name: string, theme: 0 | 1): string {
  const raw = new RegExp(`^\\s*--${name}: (.+);$`, 'm').exec(css)?.[1]
  if (!raw) throw new Error(`there is no token --${name}`)
  const both = /^light-dark\((.+), (#\w+|rgb\(.+?\))\)$/.exec(raw)
  return both ? both[1 + theme]! : raw
}

// colour reads "#rrggbb", or "rgb(r g b / a)" laid on a ground.
function colour(text: string, ground?: Rgb): Rgb {
  const hex = /^#(\w\w)(\w\w)(\w\w)$/.exec(text)
  if (hex) return [parseInt(hex[1]!, 16), parseInt(hex[2]!, 16), parseInt(hex[3]!, 16)]
  const [r, g, b, a] = text.match(/[\d.]+/g)!.map(Number) as [number, number, number, number]
  return [r, g, b].map((v, i) => v * a + ground![i]! * (1 - a)) as Rgb
}

function luminance(c: Rgb): number {
  const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)) as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: Rgb, b: Rgb): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const grounds = ['chrome', 'surface', 'raised', 'field', 'page']
const texts: [string, string[]][] = [
  ['text', [...grounds, 'accent-soft', 'person-soft', 'danger-soft', 'good-soft']],
  ['text-2', grounds],
  ['text-3', grounds],
  ['accent-text', ['accent-soft', 'surface', 'raised', 'page']],
  ['on-accent', ['accent-fill', 'accent-fill-hover']],
  ['person-text', ['person-soft']],
  ['danger-text', ['danger-soft', 'surface', 'raised']],
  ['good', ['good-soft']],
]
const marks = ['accent', 'person', 'danger', 'good', ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `profile-${n}`)]

for (const [theme, name] of [
  [0, 'light'],
  [1, 'dark'],
] as const) {
  test(`text can be read in the ${name} theme`, () => {
    for (const [text, on] of texts)
      for (const ground of on) {
        const at = colour(value(ground, theme))
        expect(contrast(colour(value(text, theme)), at), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
        if (grounds.includes(ground)) {
          const hovered = colour(value('hover', theme), at)
          expect(contrast(colour(value(text, theme)), hovered), `${text} on ${ground} under the pointer`).toBeGreaterThanOrEqual(4.5)
        }
      }
  })

  test(`marks can be seen in the ${name} theme`, () => {
    for (const mark of marks)
      for (const ground of grounds) expect(contrast(colour(value(mark, theme)), colour(value(ground, theme))), `${mark} on ${ground}`).toBeGreaterThanOrEqual(3)
  })
}
