import { dispatch, TOOL_HANDLERS } from '#01-dispatch/dispatch.ts'
import { describe, expect, it } from '#support/test.ts'

describe('task 5: dispatch', () => {
  it('has the four tools in its dictionary', () => {
    expect(Object.keys(TOOL_HANDLERS).sort()).toEqual(['bash', 'edit_file', 'read_file', 'write_file'])
  })

  it('runs the tool that is named', async ({ workspace }) => {
    expect(await dispatch(workspace.root, 'bash', { command: 'echo hi' })).toBe('hi\n')
  })

  it('writes, edits and reads one file through the tools', async ({ workspace }) => {
    await dispatch(workspace.root, 'write_file', { path: 'new/a.txt', content: 'one\n' })
    await dispatch(workspace.root, 'edit_file', { path: 'new/a.txt', old_text: 'one', new_text: 'two' })
    expect(await dispatch(workspace.root, 'read_file', { path: 'new/a.txt' })).toBe('two\n')
  })

  it('finds a tool that was added to the dictionary later', async ({ workspace }) => {
    TOOL_HANDLERS.shout = async (_root, input) => String((input as { text: string }).text).toUpperCase()
    expect(await dispatch(workspace.root, 'shout', { text: 'hi' })).toBe('HI')
    delete TOOL_HANDLERS.shout
  })

  it('names the unknown tool and lists those there are', async ({ workspace }) => {
    const answer = await dispatch(workspace.root, 'delete_file', {})
    for (const name of ['delete_file', 'bash', 'read_file', 'write_file', 'edit_file']) expect(answer).toContain(name)
  })

  it.for(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'treats %s as an unknown tool: it is in every object',
    async (name, { workspace }) => {
      expect(await dispatch(workspace.root, name, {}), 'list the real tools').toContain('read_file')
    },
  )

  it('tells the model what went wrong in a tool', async ({ workspace }) => {
    expect(await dispatch(workspace.root, 'read_file', { path: 'gone.txt' })).toMatch(/^Error: .*gone\.txt/)
  })

  it('answers with text when a tool throws something that is no Error', async ({ workspace }) => {
    TOOL_HANDLERS.odd = () => Promise.reject('odd thing')
    TOOL_HANDLERS.sync = () => {
      throw new Error('thrown at once')
    }
    TOOL_HANDLERS.bare = () => Promise.reject(Object.create(null))
    expect(await dispatch(workspace.root, 'odd', {})).toMatch(/^Error: .*odd thing/)
    expect(await dispatch(workspace.root, 'bare', {}), 'an object without toString').toMatch(/^Error: /)
    expect(await dispatch(workspace.root, 'sync', {})).toContain('thrown at once')
    delete TOOL_HANDLERS.bare
    delete TOOL_HANDLERS.odd
    delete TOOL_HANDLERS.sync
  })

  it.for<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['an empty object', {}],
    ['a list', []],
    ['a text', 'src/a.ts'],
    ['a number for the path', { path: 7 }],
    ['null for the path', { path: null }],
  ])('names the missing field when the input is %s', async ([, input], { workspace }) => {
    expect(await dispatch(workspace.root, 'read_file', input)).toMatch(/^Error: .*path/)
  })

  it('leaves nothing half done when a path is refused', async ({ workspace }) => {
    const answer = await dispatch(workspace.root, 'write_file', { path: '../out/a.txt', content: 'x' })
    expect(answer).toMatch(/^Error: .*\.\.\/out\/a\.txt/)
    await expect(workspace.text('../out/a.txt')).rejects.toThrow()
  })
})
