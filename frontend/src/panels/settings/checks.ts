// Whether a setting's text is right, before it is sent.

function isWebAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol)
  } catch {
    return false
  }
}

export const checkHome = (text: string): boolean => text === '' || isWebAddress(text)

export const checkSearch = (text: string): boolean => text.includes('%s') && isWebAddress(text.replace('%s', 'x'))

export const checkSeconds = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 5 && Number(text) <= 600
