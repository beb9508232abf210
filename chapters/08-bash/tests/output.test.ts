import { BoundedOutput } from '#08-bash/output.ts'
import { describe, expect, it } from '#support/test.ts'

/** The text that is kept of these pieces, with a limit of ten characters. */
function kept(...pieces: Array<string | Uint8Array>): string {
  const output = new BoundedOutput(10)
  for (const piece of pieces) output.add(typeof piece === 'string' ? Buffer.from(piece) : piece)
  output.end()
  return output.text()
}

describe('task 1: BoundedOutput', () => {
  it('keeps the whole of what is not longer than the limit', () => {
    expect(kept('abc')).toBe('abc')
    expect(kept('abcde', 'fghij'), 'just as long as the limit').toBe('abcdefghij')
    expect(kept('a', 'bcdefgh', 'ij'), 'in whatever pieces').toBe('abcdefghij')
    expect(kept(), 'nothing came').toBe('')
  })

  it('keeps the whole also where the middle of it goes through a character', () => {
    expect(kept('aaaa🙂bbbb'), 'ten, with the face in the middle').toBe('aaaa🙂bbbb')
    expect(kept('aaaa', '🙂b', 'bbb')).toBe('aaaa🙂bbbb')
    const odd = new BoundedOutput(3)
    odd.add(Buffer.from('🙂a'))
    expect(odd.text(), 'a limit that has no half').toBe('🙂a')
    odd.take()
    odd.add(Buffer.from('abc'))
    expect(odd.text()).toBe('abc')
  })

  it('keeps the beginning and the end of more, and says how many bytes are gone', () => {
    const text = kept('abcdefghijklmnopqrstuvwxyz')
    expect(text).toMatch(/^abcde\D/)
    expect(text).toMatch(/\Dvwxyz$/)
    expect(text, 'f to u').toMatch(/\b16\b/)
  })

  it('keeps the same whatever the pieces are', () => {
    const whole = kept('abcdefghijklmnopqrstuvwxyz')
    expect(kept(...'abcdefghijklmnopqrstuvwxyz')).toBe(whole)
    expect(kept('abcdefg', 'hijklmnopqrstuvw', 'xyz')).toBe(whole)
    expect(kept('abc', 'defghijklmnopqrstuvwxyz')).toBe(whole)
  })

  it('counts bytes, not characters, of what is gone', () => {
    expect(kept('aaaaa', 'ééé', 'zzzzz')).toMatch(/^aaaaa\D*\b6\b\D*zzzzz$/)
  })

  it('puts a character together whose bytes come in two pieces', () => {
    const [first, ...rest] = Buffer.from('é')
    expect(kept(Uint8Array.of(first), Uint8Array.from(rest))).toBe('é')
    expect(kept('ab', Buffer.from('🙂').subarray(0, 3), Buffer.from('🙂').subarray(3), 'c')).toBe('ab🙂c')
  })

  it('returns from add what is whole by now', () => {
    const output = new BoundedOutput()
    const bytes = Buffer.from('a🙂')
    expect(output.add(bytes.subarray(0, 3)), 'the rest of the face has not come yet').toBe('a')
    expect(output.add(bytes.subarray(3))).toBe('🙂')
    expect(output.end(), 'nothing is waiting').toBe('')
  })

  it('shows at the end that a character was never finished', () => {
    const output = new BoundedOutput()
    output.add(Buffer.from('a🙂').subarray(0, 3))
    expect(output.end()).toBe('\uFFFD')
    expect(output.text()).toBe('a\uFFFD')
  })

  it('counts every byte that came in', () => {
    const output = new BoundedOutput(10)
    output.add(Buffer.from('é'))
    output.add(Buffer.alloc(1000, 'x'))
    expect(output.receivedBytes).toBe(1002)
  })

  it('cuts no character in two', () => {
    const faces = kept('aaaa🙂bbbbbbbbbbbbbbbb🙂zzzz')
    expect(faces, 'half a character at a cut').not.toMatch(/\p{Cs}/u)
    expect(faces).toMatch(/^aaaa\n/)
    expect(faces).toMatch(/\nzzzz$/)
    expect(faces, 'the faces are gone, with 4 bytes each').toMatch(/\b24\b/)
  })

  it('puts nothing into the beginning once something was left out', () => {
    expect(kept('aaaa', '🙂', 'b', 'ccccccccccccc'), 'one place is free in front of the face').toMatch(/^aaaa\n/)
  })

  it('stays small while a lot comes in, and keeps the last of it', () => {
    const output = new BoundedOutput(10)
    for (let i = 0; i < 2000; i++) output.add(Buffer.alloc(1000, 'x'))
    output.add(Buffer.from('the end'))
    expect(output.text().length).toBeLessThan(100)
    expect(output.text()).toMatch(/\D1999997\D*e end$|\D1999997\D/)
    expect(output.text()).toMatch(/e end$/)
  })

  it('gives what came since the last time, when it is taken', () => {
    const output = new BoundedOutput(10)
    output.add(Buffer.from('one'))
    expect(output.take()).toBe('one')
    output.add(Buffer.from('abcdefghijklmnopqrstuvwxyz'))
    expect(output.take()).toMatch(/^abcde\D+16\D+vwxyz$/)
    expect(output.take(), 'nothing new').toBe('')
  })
})
