import { describe, expect, it } from 'vitest'
import { parseLesson } from './lesson.ts'

const matter = (title = 'title: A', minutes = 'minutes: 40', tasks = 'tasks: 2') =>
  `---\n${title}\n${minutes}\n${tasks}\n---\n`
const hint = (number: number, text: string) => `<details><summary>Hint ${number}</summary>\n\n${text}\n\n</details>\n`

describe('parseLesson', () => {
  it('takes front matter, tasks and their hints apart', () => {
    const tasks = `## Task 1: One\n${hint(1, 'a')}${hint(2, 'b')}\n## Task 2: Two: 2\n${hint(1, 'c')}\n## Check\n`
    expect(parseLesson(`${matter()}\n# A\n\n${tasks}`, 'a.md')).toMatchObject({
      path: 'a.md',
      title: 'A',
      minutes: 40,
      taskCount: 2,
      tasks: [
        { number: 1, title: 'One', hints: ['a', 'b'] },
        { number: 2, title: 'Two: 2', hints: ['c'] },
      ],
    })
  })

  it('reads the hints of a task at the very end', () => {
    expect(parseLesson(`${matter()}## Task 1: One\n${hint(1, 'a')}`.trimEnd(), 'a.md').tasks[0].hints).toEqual(['a'])
  })

  it.for([
    ['no front matter', '# A\n'],
    ['no title', matter('')],
    ['minutes in words', matter('title: A', 'minutes: an hour')],
    ['no tasks', matter('title: A', 'minutes: 40', '')],
  ])('refuses a page with %s', ([, text]) => {
    expect(() => parseLesson(text, 'a.md')).toThrow(/^a\.md: expected front matter/)
  })

  it('refuses hints out of order', () => {
    const text = `${matter()}## Task 2: Two\n${hint(1, 'a')}${hint(3, 'b')}`
    expect(() => parseLesson(text, 'a.md')).toThrow('a.md: task 2 has a hint 3 where hint 2 belongs')
  })
})
