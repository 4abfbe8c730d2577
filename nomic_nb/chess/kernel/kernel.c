/* Counting and listing moves, looking ahead and games by chance, for any pieces: the fast twin of generator.py,
   perft.py, move_search.py and random_games.py.

   It knows no piece by its name. Python compiles movements into lanes, walks and routes (kernel_tables.py) and passes
   them as one row of 64-bit words; `kernel_new` reads that row, checks each number in it and keeps a copy. After that
   nothing is written to the tables, so any number of threads may use them; all else is kept by each call for itself.
   Whatever it finds is what the Python modules find: the same moves, the same order, the same number of nodes.

   hatch_build.py compiles it once without W, for what Python calls, and once for each W, the words of a board. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(_WIN32)
#define PUBLIC __declspec(dllexport)
__declspec(dllimport) unsigned long long __stdcall GetTickCount64(void);
#else
#define PUBLIC __attribute__((visibility("default")))
#endif

/* Not where time goes: compiled for size. */
#define COLD __attribute__((cold, noinline))

typedef uint64_t u64; typedef int64_t s64; typedef uint32_t u32; typedef int32_t s32;
typedef uint16_t u16; typedef uint8_t u8;
/* What kernel_tables.py writes first, and what is never more than this. */
enum { MAGIC = 0x4e6f6d6b, MOST_CLASSES = 26, MOST_CASTLES = 64, MOST_GOALS = 16, MOST_LANES = 1 << 20 };
enum { MOST_DEPTH = 64, MOST_MOVES = 1 << 22, MOST_ROUTES = 1 << 22, MOST_SHIFTS = 10 };
/* What a lane is for, and how its squares lie. */
enum { QUIET = 1, CAPTURE = 2, SPARE = 4, DESTROY = 8, PASSING = 16, INITIAL = 32, ATTACKS = 64, LAST = 128 };
enum { UP, DOWN, CROOKED, LEAPS }; /* then options of the rules */
enum { CHECK = 1, REGIONS = 2, EXTRA = 4, HANDS = 8, FORCED = 16, ROYAL_TERM = 32, ALIKE = 64 };
/* When moves.py lists the moves of a class, or of pinned pieces; and the words of a call for lists or counts. */
enum { SHIFTED, GROUPED, PINNED, OTHERS, ROYAL, EVERY };
enum { KERNEL, ASKED, AS_PYTHON, PLIES, ROOM, STATE, COUNT, FOUND };
enum { REMOVE, CONVERT, EXPLODE, EXPLODE_ROYALS, CAPTOR, OWNER }; enum { LOST_ALL, BARE, EXTINCT, CHECKS, REACH };
enum { ORDINARY, EN_PASSANT, WALK, CASTLING, DROP };
enum { DONE, STOPPED, NO_MEMORY, BAD_INPUT, BUSY, OUT, LEFT }; /* how a call ended; LEFT: Python has to do it */
typedef struct { u8 class, origin, target, becomes, kind, promoted; u32 extra; } Move;
typedef struct { const u64 *at, *end; int bad; } Reader;
/* Asked about ten times a second: whatever it answers but GO_ON ends the call. */
#define GO_ON 0x676f6f6e
typedef int (*Asked)(void);
static inline u64 word(Reader *r) {
    if (r->at == r->end) { r->bad = 1; return 0; }
    return *r->at++;
}
/* The next word, which must be below `limit`. */
static inline u32 number(Reader *r, u64 limit) {
    u64 found = word(r);
    if (found >= limit) { r->bad = 1; return 0; }
    return (u32)found;
}
/* The texts of moves, packed so that they compare as text; the moves of a position in order; what a search keeps. */
enum { TEXT_WORDS = 3 }; typedef struct { u64 words[TEXT_WORDS]; } Text;
typedef struct { Move move; Text text; s64 order; s32 gain; u8 quiet; } Ordered;
typedef struct { Text text; s64 value; u32 stamp; } Record;
typedef struct { u64 key; Text best; s32 value; u32 stamp; u8 depth, bound; } Entry;
enum { MATE = 1000000, DECIDED = MATE - 1000, DEPTHS = 40, CALM = 1600, MOST_CAPTURES = 12, MARGIN = 60,
    ENTRIES = 1 << 16 }; /* as in move_search.py */
enum { EXACT, AT_LEAST, AT_MOST }; enum { GAME_OVER = 1, THREEFOLD, FIFTY, LONG };
#define BEST_ORDER ((s64)1 << 60)
#define CAPTURE_ORDER ((s64)1 << 40)
/* Bounds of values, of earlier positions, and of moves in order at once. */
enum { MOST_WORTH = 1 << 20, MOST_VALUE = 1 << 30, MOST_PATH = 1 << 14, ORDERED = 1 << 14 };
/* What each width has. */
typedef struct {
    void *(*load)(Reader *r), *(*load_player)(const void *tables, Reader *r);
    void (*unload)(void *tables), (*unload_player)(void *player);
    int (*moves)(const void *tables, u64 *call);
    int (*search)(void *player, Reader *state, Reader *asking, Asked asked, u64 *found);
    int (*chance)(const void *player, Reader *state, Reader *asking, Asked asked, u64 *found);
} Calls;

#ifndef W /* ------------------------------------------------------------------------ once: what Python calls */
#ifdef TUNED /* there are copies for processors that count bits and find them in one step; others use the widest */
extern const Calls calls_1t, calls_2t, calls_4t, calls_4;
static int is_tuned(void) { return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx2"); }
#endif
/* How many words a board of so many squares takes. */
PUBLIC int kernel_width(int size) {
#ifdef TUNED
    if (!is_tuned()) return 4;
#endif
    return size <= 64 ? 1 : size <= 128 ? 2 : 4;
}
static const Calls *calls_for(int width) {
#ifdef TUNED
    return width == 1 ? &calls_1t : width == 2 ? &calls_2t : is_tuned() ? &calls_4t : &calls_4;
#else
    extern const Calls calls_1, calls_2, calls_4;
    return width == 1 ? &calls_1 : width == 2 ? &calls_2 : &calls_4;
#endif
}
typedef struct { const Calls *calls; void *tables; } Kernel;
typedef struct { const Calls *calls; void *player; char busy; } KernelPlayer;
/* The mark of the source that this was compiled from. */
PUBLIC u64 kernel_mark(void) { return KERNEL_MARK; }
/* Return tables made from `count` words, or NULL if any of these is not as kernel_tables.py writes it. */
PUBLIC Kernel *kernel_new(const u64 *words, size_t count) {
    Reader reader = {words, words + count, 0};
    u32 magic = number(&reader, (u64)MAGIC + 1), width = number(&reader, 5);
    if (reader.bad || magic != MAGIC || (int)width != kernel_width(width <= 4 ? 64 * (int)width : 0)) return NULL;
    Kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel) return NULL;
    kernel->calls = calls_for((int)width), kernel->tables = kernel->calls->load(&reader);
    if (!kernel->tables) { free(kernel); return NULL; }
    return kernel;
}
PUBLIC void kernel_free(Kernel *kernel) {
    kernel->calls->unload(kernel->tables);
    free(kernel);
}
/* Write as the last word of a call in how many ways a position can go on for so many plies. Or, with room for lists,
   write how many words follow, then for each position that it becomes the words of its list and these: its moves, or
   its result. Or how many moves it has and these, in the order in which Python finds them. */
PUBLIC int kernel_moves(u64 *call) {
    const Kernel *kernel = (const Kernel *)(uintptr_t)call[KERNEL];
    return kernel->calls->moves(kernel->tables, call);
}
/* Return a player for these tables, with what pieces are worth; NULL if a word is wrong. */
PUBLIC KernelPlayer *kernel_player_new(const Kernel *kernel, const u64 *words, size_t count) {
    Reader reader = {words, words + count, 0};
    KernelPlayer *found = calloc(1, sizeof *found);
    if (!found) return NULL;
    found->calls = kernel->calls; /* Python may free the tables first */
    found->player = kernel->calls->load_player(kernel->tables, &reader);
    if (!found->player) { free(found); return NULL; }
    return found;
}
PUBLIC void kernel_player_free(KernelPlayer *player) {
    player->calls->unload_player(player->player);
    free(player);
}
/* Search a position within limits; `found` has room for 4 words and a line of DEPTHS + 2 texts. Or play a game from it
   by chance; then there is room for 3 words, and for each ply one more than a board takes. */
PUBLIC int kernel_search(KernelPlayer *player, int by_chance, const u64 *state, size_t count, const u64 *asking,
                         size_t asking_count, Asked asked, u64 *found) {
    Reader position = {state, state + count, 0}, limits = {asking, asking + asking_count, 0};
    if (by_chance) return player->calls->chance(player->player, &position, &limits, asked, found);
    if (__atomic_test_and_set(&player->busy, __ATOMIC_ACQUIRE)) return BUSY;
    int done = player->calls->search(player->player, &position, &limits, asked, found);
    __atomic_clear(&player->busy, __ATOMIC_RELEASE);
    return done;
}

#else /* ------------------------------------------------------------------ once for each width of a board, W words */
static inline void *room(Reader *r, size_t count, size_t size) {
    void *found = r->bad ? NULL : calloc(count ? count : 1, size);
    if (!found) r->bad = 1;
    return found;
}
static inline u64 mix(u64 n) {
    u64 bits = (n + 1) * 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}
static inline double seconds_now(void) { /* of a clock that nobody sets */
#if defined(_WIN32)
    return 1e-3 * (double)GetTickCount64();
#else
    struct timespec now;
    return clock_gettime(CLOCK_MONOTONIC, &now) ? 0 : (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
#endif
}
static inline int text_order(const Text *a, const Text *b) {
    for (int i = 0; i < TEXT_WORDS; i++)
        if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}
static inline int append(Text *text, int length, u64 name) {
    int longer = length + ((name >> 40 & 255) ? 3 : 2);
    for (int i = length; i < longer; i++, name <<= 8) text->words[i >> 3] |= (name >> 56) << (56 - 8 * (i & 7));
    return longer;
}
/* Put the next move in order at place `at` of those that are left; equal ones stay as they are. */
static inline Ordered *next_in_order(Ordered *moves, u32 at, u32 count) {
    u32 best = at;
    for (u32 i = at + 1; i < count; i++) {
        s64 less = moves[i].order - moves[best].order;
        int order = less ? (less < 0 ? -1 : 1) : text_order(&moves[i].text, &moves[best].text);
        if (order < 0) best = i;
    }
    Ordered found = moves[best];
    memmove(moves + at + 1, moves + at, (best - at) * sizeof *moves);
    moves[at] = found;
    return &moves[at];
}
#if W == 1
typedef u64 B;
#define EACH_WORD(b, i) (b)
#define INLINE inline __attribute__((always_inline)) /* where time goes: one copy for each way to call it */
#else
typedef u64 B __attribute__((vector_size(8 * W), aligned(8)));
#define EACH_WORD(b, i) (b)[i]
#define INLINE
#endif
static inline B bit(int square) {
    B found = {0};
    EACH_WORD(found, square >> 6) = (u64)1 << (square & 63);
    return found;
}
static inline int any(B b) {
    u64 found = 0;
    for (int i = 0; i < W; i++) found |= EACH_WORD(b, i);
    return found != 0;
}
static inline int pop(B b) {
    int found = 0;
    for (int i = 0; i < W; i++) found += __builtin_popcountll(EACH_WORD(b, i));
    return found;
}
/* Lowest and highest square of a board that is not empty. */
static inline int low(B b) {
    for (int i = 0; i < W - 1; i++)
        if (EACH_WORD(b, i)) return 64 * i + __builtin_ctzll(EACH_WORD(b, i));
    return 64 * (W - 1) + __builtin_ctzll(EACH_WORD(b, W - 1));
}
static inline int high(B b) {
    for (int i = W - 1; i; i--)
        if (EACH_WORD(b, i)) return 64 * i + 63 - __builtin_clzll(EACH_WORD(b, i));
    return 63 - __builtin_clzll(EACH_WORD(b, 0));
}
static inline int has(B b, int square) { return EACH_WORD(b, square >> 6) >> (square & 63) & 1; }
/* Take the lowest square from a board that is not empty. */
static inline int take(B *b) {
    int found = low(*b);
    EACH_WORD(*b, found >> 6) &= EACH_WORD(*b, found >> 6) - 1;
    return found;
}
/* A lane leads over `squares` in order up to the first piece, while of the squares in `mask` just `need` is occupied.
   In LEAPS, all squares are reached. */
typedef struct { B mask, need, squares; u8 flags, order, length; u32 first; } Lane;
/* A way to move past pieces that it may capture; see `ConditionalWalk` in paths.py. */
typedef struct { B empty, full, foe, own, gone; u8 end, initial; } Walk;
/* What a piece on one square needs to capture on another. */
typedef struct { B mask, need, foe, own; u8 initial; } Route;
typedef struct {
    u32 *lane_from, *walk_from; /* by square, and one more */
    Lane *lanes;
    Walk *walks;
    Route *routes;
    u32 *route_from; /* by target * size + origin, and one more */
    B *between;      /* the same, where each pair has one route at most that needs squares empty */
    B *sources;      /* by target: where a piece may attack it from */
    B *passing;      /* by target: where it may be captured on en passant from */
    u8 *order;       /* squares of crooked lanes in order */
    int plain, simple, has_walks, passes;
} Movement;
typedef struct { int by, captures, strips; } Shift; /* squares further, and whether Python does it file by file */
typedef struct { const Movement *movement; B zone, drops, stuck; Shift shifts[MOST_SHIFTS];
    u8 count, mandatory, within, turn, shift_count, choices[MOST_CLASSES]; } Force;
typedef struct { B right, king, king_to, partner, partner_to, clear, way; u32 king_class, partner_classes; } Castle;
typedef struct { u32 kind, classes; B region[2]; } Goal;
typedef struct {
    int size, files, classes, movement_count, goal_count, castle_count[2], flags, capture, stalemate, check_goal, tried;
    int first_pawn;
    u32 pawns, royal, fresh;
    B full, regions[2], homes[2], partners[2], promotion_zone[2], watched, strips[8];
    Movement *movements;
    Force force[2][MOST_CLASSES];
    Castle castles[2][MOST_CASTLES];
    Goal goals[MOST_GOALS];
    u16 *passed[2]; /* by origin * size + target: the square that a double step goes over, or NONE */
    B *around, *upto;
} Tables;
#define NONE 0xffff
typedef struct {
    B occupied[2], rights, passed, passer, unmoved, promoted;
    int side, halfmoves;
    u16 hands[2][MOST_CLASSES], checks[2];
    B piece[2][MOST_CLASSES];
} Position;
/* What keeps the royal pieces of the side to move safe: `goal` where others may go, `pinned` and `touchy` squares
   whose leaving, or leaving and entering, has to be tried, and `all` if each move has to be. */
typedef struct { B royals, goal, pinned, touchy; int checked, all, unclear; } Safety;
typedef struct {
    const Tables *t;
    Move *moves;
    u64 *codes; /* as many, in a list that is in order */
    size_t used, most;
    Asked asked;
    double next;
    int state, captures_only, as_python, ticks;
} Run;
/* A player: values, keys, and what it finds out, which counts while its stamp is that of the search. */
#define RECORDS (1 << (W == 1 ? 14 : W == 2 ? 16 : 18))
typedef struct {
    const Tables *t;
    s32 worth[2][MOST_CLASSES], *on_square, *active;
    u64 *keys, to_partner[2], names[64 * W];
    u8 letters[MOST_CLASSES];
    Entry *entries;
    Record *history[2];
    u32 recorded[2], stamp;
} Player;
typedef struct {
    Run run;
    Player *y;
    s64 left, searched;
    double end;
    u64 path[MOST_PATH + DEPTHS + 2];
    Text pv[DEPTHS + 2][DEPTHS + 2], line[DEPTHS + 2], *roots;
    int length[DEPTHS + 2], path_count, root_count, line_length, depth, early;
    s32 value;
    Ordered *ordered;
    size_t ordered_used;
} Search;

/* ----------------------------------------------------------------------------------------------- reading the tables */
static B board(Reader *r, int size) {
    B found = {0};
    for (int i = 0; i < W; i++) {
        u64 bits = word(r);
        int above = size - 64 * i;
        if (above < 64 && (above <= 0 ? bits : bits >> above)) r->bad = 1;
        EACH_WORD(found, i) = bits;
    }
    if (r->bad) found = found ^ found;
    return found;
}
/* A board with one square, or none if `empty` allows it. */
static B one(Reader *r, int size, int empty) {
    B found = board(r, size);
    int count = pop(found);
    if (count > 1 || (count == 0 && !empty)) r->bad = 1;
    return found;
}
static COLD void read_movement(Reader *r, Movement *m, int size) {
    u32 lanes = number(r, MOST_LANES), walks = number(r, MOST_LANES), orders = number(r, MOST_ROUTES);
    u32 routes = number(r, MOST_ROUTES), given = 0, ordered = 0;
    size_t pairs = (size_t)size * (size_t)size;
    m->lanes = room(r, lanes, sizeof *m->lanes), m->walks = room(r, walks, sizeof *m->walks);
    m->order = room(r, orders, 1), m->route_from = room(r, pairs + 2, sizeof *m->route_from);
    m->lane_from = room(r, (size_t)size + 1, sizeof *m->lane_from);
    m->walk_from = room(r, (size_t)size + 1, sizeof *m->walk_from);
    m->sources = room(r, (size_t)size, sizeof *m->sources), m->passing = room(r, (size_t)size, sizeof *m->passing);
    m->plain = m->simple = 1;
    Route *found = room(r, routes, sizeof *found);
    u32 *pair = room(r, routes, sizeof *pair), lane = 0, walk = 0;
    for (int o = 0; o < size && !r->bad; o++) {
        m->lane_from[o] = lane, m->walk_from[o] = walk;
        for (u32 n = number(r, (u64)lanes - lane + 1); n && !r->bad; n--) {
            Lane *l = &m->lanes[lane++];
            l->flags = (u8)number(r, 256), l->order = (u8)number(r, LEAPS + 1);
            l->mask = board(r, size), l->need = board(r, size), l->squares = board(r, size);
            l->length = (u8)number(r, 256), l->first = ordered;
            if (any(l->need & ~l->mask) || pop(l->squares) != l->length || !l->length) r->bad = 1;
            if (l->order == CROOKED || l->flags & ATTACKS) {
                B before = {0};
                if (l->length > orders - ordered) r->bad = 1;
                for (int i = 0; i < l->length && !r->bad; i++) {
                    int at = (int)number(r, (u64)size);
                    if (!has(l->squares, at) || has(before, at)) r->bad = 1;
                    m->order[ordered++] = (u8)at;
                    if (l->flags & ATTACKS && !r->bad) {
                        if (given == routes) { r->bad = 1; break; }
                        B mask = l->order == LEAPS ? l->mask : l->mask | before;
                        found[given].mask = mask & ~bit(at), found[given].need = l->need & ~bit(at);
                        found[given].initial = (l->flags & INITIAL) != 0;
                        pair[given++] = (u32)(at * size + o);
                    }
                    before |= bit(at);
                }
            }
            if ((l->flags & (QUIET | CAPTURE | SPARE | DESTROY | INITIAL)) != (QUIET | CAPTURE)) m->plain = 0;
            if (l->flags & PASSING) {
                m->passes = 1;
                for (B at = l->squares; any(at);) m->passing[take(&at)] |= bit(o);
            }
        }
        for (u32 n = number(r, (u64)walks - walk + 1); n && !r->bad; n--) {
            Walk *w = &m->walks[walk++];
            w->initial = (u8)number(r, 2);
            w->empty = board(r, size), w->full = board(r, size), w->foe = board(r, size), w->own = board(r, size);
            w->gone = board(r, size), w->end = (u8)number(r, (u64)size), m->has_walks = 1;
        }
        for (u32 n = number(r, (u64)routes - given + 1); n && !r->bad; n--) {
            int at = (int)number(r, (u64)size);
            Route *route = &found[given];
            route->initial = (u8)number(r, 2);
            B empty = board(r, size);
            route->need = board(r, size), route->mask = empty | route->need;
            route->foe = board(r, size), route->own = board(r, size);
            pair[given++] = (u32)(at * size + o);
        }
    }
    if (!r->bad && (lane != lanes || walk != walks || given != routes || ordered != orders)) r->bad = 1;
    m->routes = room(r, routes, sizeof *m->routes);
    if (!r->bad) {
        m->lane_from[size] = lane, m->walk_from[size] = walk;
        for (u32 i = 0; i < routes; i++) m->route_from[pair[i] + 2]++;
        for (size_t i = 2; i < pairs + 2; i++) {
            if (m->route_from[i] > 1) m->simple = 0;
            m->route_from[i] += m->route_from[i - 1];
        }
        for (u32 i = 0; i < routes; i++) {
            Route *route = &found[i];
            m->routes[m->route_from[pair[i] + 1]++] = *route;
            m->sources[pair[i] / (u32)size] |= bit((int)(pair[i] % (u32)size));
            if (any(route->need | route->foe | route->own) || route->initial) m->simple = 0;
        }
        if (m->simple && (m->between = room(r, pairs, sizeof *m->between)))
            for (u32 i = 0; i < routes; i++) m->between[pair[i]] = found[i].mask;
    }
    free(found), free(pair);
}
static COLD void free_tables(void *tables) {
    Tables *t = tables;
    for (int i = 0; t->movements && i < t->movement_count; i++) {
        Movement *m = &t->movements[i];
        free(m->lanes), free(m->walks), free(m->order), free(m->lane_from), free(m->walk_from), free(m->sources);
        free(m->passing), free(m->route_from), free(m->routes), free(m->between);
    }
    free(t->movements), free(t->passed[0]), free(t->passed[1]), free(t->around), free(t->upto), free(t);
}
static COLD void *read_tables(Reader *r) {
    Tables *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->size = (int)number(r, 64 * W + 1), t->files = (int)number(r, 17);
    t->classes = (int)number(r, MOST_CLASSES + 1), t->movement_count = (int)number(r, 2 * MOST_CLASSES + 1);
    t->flags = (int)number(r, 128), t->capture = (int)number(r, OWNER + 1);
    t->stalemate = (int)number(r, 3), t->check_goal = (int)number(r, 100);
    t->tried = t->capture >= CONVERT && t->capture <= EXPLODE_ROYALS;
    if (!t->size || !t->files || t->size % t->files || !t->classes || !t->movement_count) r->bad = 1;
    u64 kinds = (u64)1 << t->classes;
    t->pawns = number(r, kinds), t->royal = number(r, kinds), t->fresh = number(r, kinds);
    t->first_pawn = (int)number(r, (u64)t->classes), t->full = board(r, t->size);
    int size = r->bad ? 0 : t->size;
    size_t pairs = (size_t)size * (size_t)size;
    t->movements = room(r, (size_t)t->movement_count, sizeof *t->movements);
    t->upto = room(r, (size_t)size, sizeof *t->upto), t->around = room(r, (size_t)size, sizeof *t->around);
    for (int i = 0; i < size && !r->bad; i++)
        t->upto[i] = bit(i) | (i ? t->upto[i - 1] : bit(i)), t->strips[i % t->files / 2] |= bit(i);
    for (int i = 0; t->capture >= EXPLODE && t->capture <= EXPLODE_ROYALS && i < size && !r->bad; i++)
        t->around[i] = board(r, size);
    for (int i = 0; i < t->movement_count && !r->bad; i++) read_movement(r, &t->movements[i], size);
    for (int s = 0; s < 2 && !r->bad; s++) {
        t->regions[s] = board(r, size), t->homes[s] = board(r, size), t->partners[s] = board(r, size);
        t->promotion_zone[s] = board(r, size), t->watched |= t->homes[s] | t->partners[s];
        for (int c = 0; c < t->classes && !r->bad; c++) {
            Force *f = &t->force[s][c];
            f->movement = &t->movements[number(r, (u64)t->movement_count)];
            f->zone = board(r, size), f->drops = board(r, size), f->stuck = board(r, size);
            f->mandatory = (u8)number(r, 2), f->within = (u8)number(r, 256);
            if (f->within != 255 && f->within >= t->classes) r->bad = 1;
            f->count = (u8)number(r, MOST_CLASSES + 1);
            for (int i = 0; i < f->count; i++) f->choices[i] = (u8)number(r, (u64)t->classes);
            f->turn = (u8)number(r, EVERY), f->shift_count = (u8)number(r, MOST_SHIFTS + 1);
            for (Shift *h = f->shifts; h < f->shifts + f->shift_count; h++)
                h->by = (int)number(r, 512) - 256, h->captures = (int)number(r, 2), h->strips = (int)number(r, 2);
        }
        t->castle_count[s] = (int)number(r, MOST_CASTLES + 1);
        for (int i = 0; i < t->castle_count[s] && !r->bad; i++) {
            Castle *c = &t->castles[s][i];
            c->right = one(r, size, 0), c->king = one(r, size, 0), c->king_to = one(r, size, 0);
            c->partner = one(r, size, 0), c->partner_to = one(r, size, 0);
            c->clear = board(r, size), c->way = board(r, size);
            c->king_class = number(r, (u64)t->classes), c->partner_classes = number(r, kinds);
        }
        t->passed[s] = room(r, pairs, sizeof *t->passed[s]);
        for (size_t i = 0; i < pairs && !r->bad; i++) t->passed[s][i] = NONE;
        for (u32 n = number(r, 8 * (u64)size + 1); n && !r->bad; n--) {
            u32 from = number(r, (u64)size), to = number(r, (u64)size), over = number(r, (u64)size);
            if (!r->bad) t->passed[s][from * (u32)size + to] = (u16)over;
        }
    }
    t->goal_count = (int)number(r, MOST_GOALS + 1);
    for (int i = 0; i < t->goal_count && !r->bad; i++) {
        Goal *g = &t->goals[i];
        g->kind = number(r, REACH + 1), g->classes = number(r, kinds);
        g->region[0] = board(r, size), g->region[1] = board(r, size);
    }
    if (r->bad || r->at != r->end) { free_tables(t); return NULL; }
    return t;
}
static COLD int read_position(Reader *r, const Tables *t, Position *p) {
    memset(p, 0, sizeof *p);
    B seen = {0};
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < t->classes; c++) {
            p->piece[s][c] = board(r, t->size);
            if (any(p->piece[s][c] & (seen | ~t->full))) r->bad = 1;
            seen |= p->piece[s][c], p->occupied[s] |= p->piece[s][c];
        }
    p->rights = board(r, t->size), p->passed = one(r, t->size, 1), p->passer = one(r, t->size, 1);
    p->unmoved = board(r, t->size);
    if (r->end - r->at > 2) p->promoted = board(r, t->size);
    p->side = (int)number(r, 2), p->halfmoves = (int)number(r, 1 << 20);
    if (r->at == r->end) return !r->bad; /* without hands and such */
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < t->classes; c++) p->hands[s][c] = (u16)number(r, 1 << 12);
    for (int s = 0; s < 2; s++) p->checks[s] = (u16)number(r, 100);
    return !r->bad && r->at == r->end;
}

/* -------------------------------------------------------------------------------------------- where a piece may go */
static inline B ride(const Tables *t, const Movement *m, const Lane *l, B occupied) {
    B stops = occupied & l->squares;
    if (l->order == LEAPS || !any(stops)) return l->squares;
    if (l->order == UP) return l->squares & t->upto[low(stops)];
    if (l->order == DOWN) { int last = high(stops); return l->squares & (~t->upto[last] | bit(last)); }
    B reached = {0};
    for (u32 i = l->first;; i++) { reached |= bit(m->order[i]); if (has(stops, m->order[i])) return reached; }
}
static inline B royals_of(const Tables *t, const Position *p, int side) {
    B found = {0};
    for (u32 left = t->royal; left; left &= left - 1) found |= p->piece[side][__builtin_ctz(left)];
    return found;
}
static inline B unmoved_of(const Tables *t, const Position *p, int side) {
    return t->flags & REGIONS ? t->regions[side] : p->unmoved;
}
/* The squares that a piece of the side to move reaches from square `o`, check ignored. */
static inline B reach(const Tables *t, const Position *p, const Movement *m, int o, B occupied) {
    B quiet = {0}, capture = {0}, spare = {0}, destroy = {0};
    int s = p->side;
    u32 end = m->lane_from[o + 1];
    if (m->plain) {
        for (u32 i = m->lane_from[o]; i < end; i++) {
            const Lane *l = &m->lanes[i];
            if (!any((occupied & l->mask) ^ l->need)) quiet |= ride(t, m, l, occupied);
        }
        return quiet & ~p->occupied[s];
    }
    for (u32 i = m->lane_from[o]; i < end; i++) {
        const Lane *l = &m->lanes[i];
        if (any((occupied & l->mask) ^ l->need) || (l->flags & INITIAL && !has(unmoved_of(t, p, s), o))) continue;
        B reached = ride(t, m, l, occupied);
        if (l->flags & QUIET) quiet |= reached;
        if (l->flags & CAPTURE) capture |= reached;
        if (l->flags & SPARE) spare |= reached;
        if (l->flags & DESTROY) destroy |= reached;
    }
    B found = (quiet & ~occupied) | (capture & p->occupied[!s]);
    if (any(spare)) found |= spare & p->occupied[!s] & ~royals_of(t, p, !s);
    if (any(destroy)) found |= destroy & p->occupied[s] & ~royals_of(t, p, s) & ~bit(o);
    return found;
}
/* The squares that are not as a route needs them, with pieces on `occupied` and those of the attacker on `own`. */
static inline B unmet(const Route *route, B occupied, B own) {
    return ((occupied & route->mask) ^ route->need) | (route->foe & ~(occupied & ~own)) | (route->own & ~own);
}
/* Whether pieces of side `by` but those in `gone` attack a royal piece on a square, with pieces on `occupied`. */
static int attacked(const Tables *t, const Position *p, int by, int target, B occupied, B gone) {
    B own = p->occupied[by] & ~gone, fresh = unmoved_of(t, p, by);
    for (int c = 0; c < t->classes; c++) {
        const Movement *m = t->force[by][c].movement;
        B near = p->piece[by][c] & m->sources[target] & ~gone;
        while (any(near)) {
            int o = take(&near);
            size_t pair = (size_t)(target * t->size + o);
            if (m->simple) { if (!any(m->between[pair] & occupied)) return 1; continue; }
            for (u32 i = m->route_from[pair]; i < m->route_from[pair + 1]; i++) {
                const Route *route = &m->routes[i];
                if (!(route->initial && !has(fresh, o)) && !any(unmet(route, occupied, own))) return 1;
            }
        }
    }
    return 0;
}
static int is_checked(const Tables *t, const Position *p, int side) {
    if (!(t->flags & CHECK)) return 0;
    for (B left = royals_of(t, p, side); any(left);)
        if (attacked(t, p, !side, take(&left), p->occupied[0] | p->occupied[1], left ^ left)) return 1;
    return 0;
}
static void look_for_danger(const Tables *t, const Position *p, Safety *f) {
    int by = !p->side;
    memset(f, 0, sizeof *f);
    f->goal = t->full;
    if (t->flags & CHECK) f->royals = royals_of(t, p, p->side);
    if (!any(f->royals)) return;
    if (pop(f->royals) > 1) { f->all = 1, f->checked = is_checked(t, p, p->side); return; }
    int king = low(f->royals);
    B occupied = p->occupied[0] | p->occupied[1], own = p->occupied[by], fresh = unmoved_of(t, p, by);
    for (int c = 0; c < t->classes; c++) {
        const Movement *m = t->force[by][c].movement;
        B near = p->piece[by][c] & m->sources[king];
        while (any(near)) {
            int o = take(&near);
            size_t pair = (size_t)(king * t->size + o);
            if (m->simple) {
                B stops = m->between[pair] & occupied;
                int count = pop(stops);
                if (count == 0) f->checked = 1, f->goal &= m->between[pair] | bit(o);
                else if (count == 1) f->pinned |= stops;
                continue;
            }
            int attacks = 0, held = 0;
            for (u32 i = m->route_from[pair]; i < m->route_from[pair + 1]; i++) {
                const Route *route = &m->routes[i];
                if (route->initial && !has(fresh, o)) continue;
                B missing = unmet(route, occupied, own);
                int count = pop(missing), odd = any(route->need | route->foe | route->own);
                if (count == 0) {
                    f->checked = attacks = 1;
                    if (odd) f->all = 1;
                    else f->goal &= route->mask | bit(o);
                } else if (odd && count <= 2) f->touchy |= route->mask | route->foe | route->own;
                else if (count == 1) f->pinned |= missing, held = 1;
            }
            f->unclear |= attacks && held;
        }
    }
}
/* Whether the royal pieces of the side to move are safe after a move, with pieces on `occupied`. */
static int is_safe(const Tables *t, const Position *p, B royals, int c, B from, B to, B occupied, B taken) {
    if (!any(royals)) return 1;
    if (t->royal >> c & 1) royals = (royals ^ from) | to;
    if (any(royals & taken & ~to)) return 0;
    while (any(royals))
        if (attacked(t, p, !p->side, take(&royals), occupied, taken)) return 0;
    return 1;
}

/* ------------------------------------------------------------------------------------------------------ legal moves */
static int can_pass(const Tables *t, const Position *p, const Safety *f, int c, int o, B occupied) {
    const Movement *m = t->force[p->side][c].movement;
    int able = 0, fresh = has(unmoved_of(t, p, p->side), o);
    for (u32 i = m->lane_from[o]; i < m->lane_from[o + 1]; i++) {
        const Lane *l = &m->lanes[i];
        if (!(l->flags & (PASSING | QUIET)) || (l->flags & INITIAL && !fresh)) continue;
        if (any((occupied & l->mask) ^ l->need) || !any(ride(t, m, l, occupied) & p->passed)) continue;
        if (l->flags & QUIET) return 0;
        able = 1;
    }
    return able && is_safe(t, p, f->royals, c, bit(o), p->passed, ((occupied ^ bit(o)) & ~p->passer) | p->passed,
        p->passer);
}
static INLINE int can_walk(const Tables *t, const Position *p, const Safety *f, int c, int o, const Walk *w, B occupied) {
    B own = p->occupied[p->side], home = bit(o), to = bit(w->end), there = occupied & ~home;
    if (w->initial && !has(unmoved_of(t, p, p->side), o)) return 0;
    if (any((w->empty & there) | (w->full & ~there) | (w->foe & ~(there & ~own)) | (w->own & ~(own & ~home)))) return 0;
    B taken = w->gone | (to & there);
    if (any(taken & royals_of(t, p, p->side))) return 0;
    return is_safe(t, p, f->royals, c, home, to, ((occupied ^ home) & ~taken) | to, taken);
}
static inline int partner_class(const Position *p, const Castle *castle) {
    u32 left = castle->partner_classes;
    while (left & (left - 1) && !any(p->piece[p->side][__builtin_ctz(left)] & castle->partner)) left &= left - 1;
    return __builtin_ctz(left);
}
static int can_castle(const Tables *t, const Position *p, const Safety *f, const Castle *c) {
    B occupied = p->occupied[0] | p->occupied[1], none = occupied ^ occupied;
    int by = !p->side;
    if (!any(p->rights & c->right) || any(occupied & c->clear) ||
        !any(p->piece[p->side][c->king_class] & c->king) || !c->partner_classes ||
        !any(p->piece[p->side][partner_class(p, c)] & c->partner)) return 0;
    if (!any(f->royals)) return 1;
    for (B left = c->way; any(left);)
        if (attacked(t, p, by, take(&left), occupied, none)) return 0;
    B after = (occupied & ~c->king & ~c->partner) | c->king_to | c->partner_to;
    return !attacked(t, p, by, low(c->king_to), after, none);
}
static void add(Run *x, int c, int o, int to, int becomes, int kind, int promoted, u32 extra) {
    if (x->used == x->most) {
        size_t most = x->most ? 2 * x->most : 64;
        Move *moves = most > MOST_MOVES ? NULL : realloc(x->moves, most * sizeof *moves);
        if (moves) x->moves = moves;
        u64 *codes = moves ? realloc(x->codes, most * sizeof *codes) : NULL;
        if (!codes) { x->state = NO_MEMORY; return; }
        x->codes = codes, x->most = most;
    }
    x->moves[x->used++] = (Move){(u8)c, (u8)o, (u8)to, (u8)becomes, (u8)kind, (u8)promoted, extra};
}
/* Add a move with all its choices, or count them. */
static u64 choices(Run *x, int side, int c, int o, int to, int kind, u32 extra, int counting) {
    const Force *force = &x->t->force[side][c];
    int promotes = has(force->zone, to);
    if (counting) return promotes ? (u64)(1 + force->count - force->mandatory) : 1;
    for (int i = 0; promotes && i < force->count; i++) add(x, c, o, to, force->choices[i], kind, 1, extra);
    if (!promotes || !force->mandatory) add(x, c, o, to, c, kind, 0, extra);
    return 0;
}
/* Add the ordinary moves of a piece to squares of `to`, but try those in `test` before; or count them. */
static INLINE u64 ordinary_moves(Run *x, const Position *p, const Safety *f, int c, int o, B to, B test, int counting) {
    const Force *force = &x->t->force[p->side][c];
    while (any(test)) {
        B occupied = p->occupied[0] | p->occupied[1], there = bit(take(&test));
        if (!is_safe(x->t, p, f->royals, c, bit(o), there, (occupied ^ bit(o)) | there, there & occupied)) to &= ~there;
    }
    if (counting) {
        u64 found = (u64)pop(to);
        return any(to & force->zone) ? found + (u64)(pop(to & force->zone) * (force->count - force->mandatory)) : found;
    }
    if (any(to & force->zone)) while (any(to)) choices(x, p->side, c, o, take(&to), ORDINARY, 0, 0);
    while (any(to)) add(x, c, o, take(&to), c, ORDINARY, 0, 0);
    return 0;
}
/* Where a piece may go by its ordinary moves, and where that has to be tried. */
static INLINE B ordinary(const Run *x, const Position *p, const Safety *f, const Movement *m, int c, int o, B *test) {
    B to = reach(x->t, p, m, o, p->occupied[0] | p->occupied[1]);
    if (x->captures_only) to &= p->occupied[!p->side];
    if (f->all || x->t->royal >> c & 1 || has(f->pinned | f->touchy, o)) *test = any(f->royals) ? to : to ^ to;
    else to &= f->goal, *test = to & f->touchy;
    return to;
}
/* Add the moves of a class as moves.py does by shifting all its pieces at once. */
static __attribute__((noinline)) void list_shifts(Run *x, const Position *p, const Safety *f, int c, B pieces) {
    const Tables *t = x->t;
    const Force *force = &t->force[p->side][c];
    B to[64 * W], test, occupied = p->occupied[0] | p->occupied[1], none = occupied ^ occupied;
    for (B left = pieces; any(left);) { int o = take(&left); to[o] = ordinary(x, p, f, force->movement, c, o, &test); }
    for (const Shift *h = force->shifts; h < force->shifts + force->shift_count; h++) {
        B reached = none;
        for (B left = pieces; any(left);) {
            int o = take(&left), at = o + h->by;
            if (at >= 0 && at < t->size && has(to[o], at) && has(occupied, at) == h->captures) reached |= bit(at);
        }
        for (int i = 0; i < (h->strips ? (t->files + 1) / 2 : 1); i++)
            for (B left = h->strips ? reached & t->strips[i] : reached; any(left);) {
                int at = take(&left);
                choices(x, p->side, c, at - h->by, at, ORDINARY, 0, 0);
            }
    }
}
/* Add the moves of a piece as moves.py does row by row, captures last. */
static __attribute__((noinline)) void list_rows(Run *x, const Position *p, const Safety *f, int c, int o, B to) {
    const Movement *m = x->t->force[p->side][c].movement;
    B occupied = p->occupied[0] | p->occupied[1], none = occupied ^ occupied, row = none;
    for (u32 i = m->lane_from[o]; i < m->lane_from[o + 1]; i++) {
        row |= m->lanes[i].squares;
        if (!(m->lanes[i].flags & LAST)) continue;
        ordinary_moves(x, p, f, c, o, to & row & ~occupied, none, 0);
        ordinary_moves(x, p, f, c, o, to & row & occupied, none, 0);
        row = none;
    }
}
/* Add all legal moves but castlings, or count them. */
static INLINE u64 piece_moves(Run *x, const Position *p, const Safety *f, int counting) {
    const Tables *t = x->t;
    int s = p->side, first = counting || !x->as_python ? EVERY : SHIFTED;
    B occupied = p->occupied[0] | p->occupied[1], test;
    u64 found = 0;
    for (int turn = first; turn <= (first ? EVERY : ROYAL); turn++)
        for (int c = 0; c < t->classes; c++) {
            const Force *force = &t->force[s][c];
            const Movement *m = force->movement;
            if (turn < EVERY && turn != PINNED && turn != force->turn) continue;
            B pieces = turn == EVERY ? p->piece[s][c] : p->piece[s][c] & (turn == PINNED ? f->pinned : ~f->pinned);
            if (turn == SHIFTED) { list_shifts(x, p, f, c, pieces); continue; }
            while (any(pieces)) {
                int o = take(&pieces);
                B to = ordinary(x, p, f, m, c, o, &test);
                if (turn == GROUPED) list_rows(x, p, f, c, o, to);
                else found += ordinary_moves(x, p, f, c, o, to, test, counting);
            }
        }
    for (int c = 0; c < t->classes; c++) {
        const Movement *m = t->force[s][c].movement;
        for (B pieces = m->has_walks ? p->piece[s][c] : occupied ^ occupied; any(pieces);) {
            const Walk *before = NULL;
            int o = take(&pieces);
            for (u32 i = m->walk_from[o]; i < m->walk_from[o + 1]; i++) {
                const Walk *w = &m->walks[i];
                if (before && w->end == before->end && !any(w->gone ^ before->gone)) continue; /* the same captures */
                if (!can_walk(t, p, f, c, o, w, occupied)) continue;
                before = w;
                found += choices(x, s, c, o, w->end, WALK, i, counting);
            }
        }
        if (m->passes && any(p->passed & ~occupied))
            for (B able = p->piece[s][c] & m->passing[low(p->passed)]; any(able);) {
                int o = take(&able);
                if (can_pass(t, p, f, c, o, occupied))
                    found += choices(x, s, c, o, low(p->passed), EN_PASSANT, 0, counting);
            }
    }
    return found;
}
static void list_pieces(Run *x, const Position *p, const Safety *f) { piece_moves(x, p, f, 0); }
static u64 castlings(Run *x, const Position *p, const Safety *f, int counting) {
    u64 found = 0;
    for (int i = 0; any(p->rights) && !f->checked && i < x->t->castle_count[p->side]; i++) {
        const Castle *c = &x->t->castles[p->side][i];
        if (!can_castle(x->t, p, f, c)) continue;
        if (counting) found++;
        else add(x, (int)c->king_class, low(c->king), low(c->king_to), (int)c->king_class, CASTLING, 0, (u32)i);
    }
    return found;
}
/* The number of legal moves under rules without more than movement and check. */
static u64 count_moves(Run *x, const Position *p) {
    Safety f;
    look_for_danger(x->t, p, &f);
    return piece_moves(x, p, &f, 1) + castlings(x, p, &f, 1);
}

/* ------------------------------------------------------------------------------------------------ what a move makes */
static inline B taken_by(const Tables *t, const Position *p, const Move *move) {
    B occupied = p->occupied[0] | p->occupied[1], none = occupied ^ occupied;
    switch (move->kind) {
    case EN_PASSANT: return p->passer;
    case WALK:
        return t->force[p->side][move->class].movement->walks[move->extra].gone |
               (bit(move->target) & occupied & ~bit(move->origin));
    case ORDINARY: return bit(move->target) & occupied;
    default: return none;
    }
}
static inline B remaining(const Tables *t, B rights, B touched) {
    rights &= ~touched;
    for (int s = 0; s < 2; s++)
        if (any(touched & t->homes[s])) rights &= ~t->partners[s];
    return rights;
}
static void play_extra(const Tables *t, const Position *p, Position *q, const Move *move, B taken) {
    int s = p->side;
    B gone = taken ^ taken, from = move->kind == DROP ? gone : bit(move->origin), to = bit(move->target);
    if (move->kind == DROP) q->hands[s][move->class]--;
    for (int c = 0; c < t->classes; c++)
        for (B left = p->piece[!s][c] & taken; any(left);) {
            int at = take(&left);
            if (t->capture >= CAPTOR && !(t->royal >> c & 1)) {
                int original = has(p->promoted, at) && t->pawns ? t->first_pawn : c;
                q->hands[s ^ (t->capture == OWNER)][original]++;
            } else if (t->capture == CONVERT) q->piece[s][c] |= at == move->target ? from : bit(at);
        }
    if (any(taken) && (t->capture == EXPLODE || t->capture == EXPLODE_ROYALS)) {
        gone = t->around[move->target];
        for (int side = 0; side < 2; side++)
            for (int c = 0; c < t->classes; c++) {
                B spared = t->capture == EXPLODE && t->royal >> c & 1 ? gone : gone ^ gone;
                q->piece[side][c] &= ~(t->pawns >> c & 1 ? to : gone & ~spared);
            }
    }
    if (t->flags & HANDS) {
        q->promoted = p->promoted & ~taken & ~from & ~gone;
        if (move->becomes != move->class || any(p->promoted & from)) q->promoted |= to;
    }
    for (int side = 0; side < 2; side++) {
        q->occupied[side] ^= q->occupied[side];
        for (int c = 0; c < t->classes; c++) q->occupied[side] |= q->piece[side][c];
    }
    q->rights = remaining(t, q->rights, gone), q->unmoved &= ~gone;
}
/* The square that a double step of a pawn goes over, or NONE. */
static inline u16 passed_by(const Tables *t, const Position *p, const Move *move, B taken) {
    if (move->kind != ORDINARY || !(t->pawns >> move->class & 1) || any(taken)) return NONE;
    return t->passed[p->side][move->origin * t->size + move->target];
}
/* Make in `q` the position after a move in `p`. */
static inline void play(const Tables *t, const Position *p, Position *q, const Move *move) {
    int s = p->side, e = !s, c = move->class;
    B to = bit(move->target), taken = taken_by(t, p, move), none = to ^ to;
    B from = move->kind == DROP ? none : bit(move->origin), touched = from | to | taken;
    memcpy(q, p, offsetof(Position, piece));
    for (int i = 0; i < t->classes; i++) q->piece[0][i] = p->piece[0][i], q->piece[1][i] = p->piece[1][i];
    if (any(taken)) {
        for (int i = 0; i < t->classes; i++) q->piece[e][i] &= ~taken, q->piece[s][i] &= ~taken;
        q->occupied[e] &= ~taken, q->occupied[s] &= ~taken;
    }
    q->piece[s][c] &= ~from, q->occupied[s] &= ~from;
    if (move->kind == CASTLING) {
        const Castle *castle = &t->castles[s][move->extra];
        B *partner = &q->piece[s][partner_class(p, castle)];
        *partner = (*partner & ~castle->partner) | castle->partner_to;
        q->occupied[s] = (q->occupied[s] & ~castle->partner) | castle->partner_to;
        touched |= castle->partner;
    }
    q->piece[s][move->becomes] |= to, q->occupied[s] |= to;
    if (any(p->rights) && any(touched & t->watched)) q->rights = remaining(t, p->rights, touched);
    q->passed = q->passer = none;
    u16 over = passed_by(t, p, move, taken);
    if (over != NONE) q->passed = bit(over), q->passer = to;
    q->unmoved &= ~touched;
    q->halfmoves = any(taken) || t->pawns >> c & 1 ? 0 : p->halfmoves + 1;
    q->side = e;
    if (t->flags & EXTRA) {
        play_extra(t, p, q, move, taken);
        if (t->check_goal && q->checks[s] && is_checked(t, q, e)) q->checks[s]--;
    }
}

/* ----------------------------------------------------------------------------- rules beyond movement and check */
static int pieces_left(const Position *p, int side, u32 classes) {
    int found = 0;
    for (int c = 0; c < MOST_CLASSES; c++)
        if (classes >> c & 1) found += pop(p->piece[side][c]) + p->hands[side][c];
    return found;
}
static int meets(const Tables *t, const Position *p, const Goal *g, int side) {
    u32 every = (u32)(((u64)1 << t->classes) - 1), rest = every & ~t->royal;
    switch (g->kind) {
    case LOST_ALL: return !pieces_left(p, side, every);
    case BARE: return p->side != side && !pieces_left(p, side, rest) && pieces_left(p, !side, rest);
    case EXTINCT: return !pieces_left(p, side, g->classes);
    case CHECKS: return !p->checks[side];
    default:
        for (u32 left = g->classes; left; left &= left - 1)
            if (any(p->piece[side][__builtin_ctz(left)] & g->region[side])) return 1;
        return 0;
    }
}
/* The side that alone has royal pieces, or -1. */
static int winner_by_capture(const Tables *t, const Position *p) {
    int white = any(royals_of(t, p, 0)), black = any(royals_of(t, p, 1));
    return white == black ? -1 : black;
}
/* The side that has won by a goal, or -1. */
static int winner_by_goal(const Tables *t, const Position *p) {
    for (int i = 0; i < t->goal_count; i++) {
        const Goal *g = &t->goals[i];
        int wins = g->kind == LOST_ALL || g->kind == CHECKS || g->kind == REACH;
        for (int n = 0; n < 2; n++) {
            int side = n ? p->side : !p->side;
            if (meets(t, p, g, side)) return wins ? side : !side;
        }
    }
    return t->capture == EXPLODE_ROYALS && t->flags & ROYAL_TERM ? winner_by_capture(t, p) : -1;
}
static int keeps_royals(const Tables *t, const Position *p, const Move *move) {
    B had = royals_of(t, p, p->side);
    if (!(t->flags & CHECK) || !any(had)) return 1;
    Position q;
    int s = p->side;
    play(t, p, &q, move);
    B kings = royals_of(t, &q, s), theirs = royals_of(t, &q, !s);
    int same = pop(had) == pop(kings), blast = t->capture == EXPLODE_ROYALS;
    if (!same || (blast && !any(theirs))) return same;
    if (blast)
        for (B left = kings; any(left);)
            if (any(t->around[take(&left)] & theirs)) return 1;
    return !is_checked(t, &q, s);
}
static void list_extra(Run *x, const Position *p, const Safety *f, size_t from) {
    const Tables *t = x->t;
    int s = p->side;
    size_t end = x->used;
    for (size_t i = from; i < end; i++) {
        Move move = x->moves[i];
        const Force *force = &t->force[s][move.class];
        if (force->within == 255 || move.promoted || move.kind == CASTLING) continue;
        if (!any(t->promotion_zone[s] & (bit(move.origin) | bit(move.target)))) continue;
        if (has(force->stuck, move.target)) x->moves[i].becomes = force->within, x->moves[i].promoted = 1;
        else add(x, move.class, move.origin, move.target, force->within, move.kind, 1, move.extra);
        if (x->state) return;
    }
    B occupied = p->occupied[0] | p->occupied[1], none = occupied ^ occupied;
    for (int c = 0; t->flags & HANDS && c < t->classes; c++)
        for (B to = p->hands[s][c] ? t->force[s][c].drops & ~occupied : none; any(to);) {
            int at = take(&to), safe = 1;
            for (B left = f->royals; safe && any(left);)
                safe = !attacked(t, p, !s, take(&left), occupied | bit(at), none);
            if (safe) add(x, c, at, at, c, DROP, 0, 0);
        }
    if (t->flags & FORCED) {
        size_t kept = from;
        for (size_t i = from; i < x->used; i++)
            if (any(taken_by(t, p, &x->moves[i]))) x->moves[kept++] = x->moves[i];
        if (kept > from) x->used = kept;
    }
}
/* Add all legal moves to the list of a run. */
static void list_moves(Run *x, const Position *p) {
    const Tables *t = x->t;
    size_t from = x->used;
    if (t->flags & EXTRA && winner_by_goal(t, p) >= 0) return;
    Safety f;
    look_for_danger(t, p, &f);
    int known = t->flags & ALIKE && !f.unclear && !f.all && !any(f.touchy) && pop(f.royals) == 1;
    if (x->as_python && !known) { x->state = LEFT; return; }
    if (t->tried) {
        Safety bold = {.goal = t->full};
        list_pieces(x, p, &bold);
        size_t kept = from;
        for (size_t i = from; i < x->used; i++)
            if (keeps_royals(t, p, &x->moves[i])) x->moves[kept++] = x->moves[i];
        x->used = kept;
    } else list_pieces(x, p, &f);
    if (!x->captures_only) castlings(x, p, &f, 0);
    if (t->flags & EXTRA) list_extra(x, p, &f, from);
}

/* --------------------------------------------------------------------------------------------------------- counting */
/* Whether the run has to end, which is asked from time to time. */
static inline int tick(Run *x) {
    if (x->state || ++x->ticks & (W == 1 ? 255 : W == 2 ? 63 : 7)) return x->state; /* large boards take longer */
    double now = seconds_now();
    if (now < x->next) return x->state;
    x->next = now + 0.1;
    if (x->asked && x->asked() != GO_ON) x->state = STOPPED;
    return x->state;
}
static u64 leaves(Run *x, const Position *p, int depth) {
    if (tick(x)) return 0;
    if (depth == 1 && !(x->t->flags & EXTRA)) return count_moves(x, p);
    size_t from = x->used;
    list_moves(x, p);
    size_t end = x->used;
    u64 total = depth == 1 ? end - from : 0;
    for (size_t i = from; depth > 1 && i < end && !x->state; i++) {
        Position q;
        play(x->t, p, &q, &x->moves[i]);
        total += leaves(x, &q, depth - 1);
    }
    x->used = from;
    return total;
}

/* --------------------------------------------------------------------------- looking ahead, as move_search.py says */
/* Write a move as Python does, in bytes that compare as its text. */
static void write_text(const Player *y, const Position *p, const Move *move, Text *text) {
    const Tables *t = y->t;
    int length = 0;
    memset(text, 0, sizeof *text);
    B stops = {0};
    int last = move->target;
    if (move->kind == WALK) stops = taken_by(t, p, move) & ~bit(move->target);
    if (move->kind == CASTLING && y->to_partner[p->side] >> move->extra & 1)
        last = low(t->castles[p->side][move->extra].partner);
    if (move->kind == DROP) {
        text->words[0] = (u64)(y->letters[move->class] - 32) << 56 | (u64)'@' << 48, length = 2;
    } else length = append(text, length, y->names[move->origin]);
    while (any(stops) && length < 8 * TEXT_WORDS - 7) length = append(text, length, y->names[take(&stops)]);
    length = append(text, length, y->names[last]);
    if (move->promoted) text->words[length >> 3] |= (u64)y->letters[move->becomes] << (56 - 8 * (length & 7));
}
static s32 mop_up(const Player *y, const Position *p, s32 white, s32 black) {
    B kings[2] = {royals_of(y->t, p, 0), royals_of(y->t, p, 1)};
    if (!any(kings[0]) || !any(kings[1]) || white == black) return 0;
    int files = y->t->files, ranks = y->t->size / files, at[2] = {low(kings[0]), low(kings[1])}, lost = at[!black];
    int apart = abs(at[0] / files - at[1] / files) + abs(at[0] % files - at[1] % files);
    int out = abs(2 * (lost / files) - ranks + 1) + abs(2 * (lost % files) - files + 1);
    return (10 * out - 4 * apart) * (white ? 1 : -1);
}
/* What a position is worth to the side to move, and its key. */
static s32 look(const Player *y, const Position *p, u64 *found) {
    const Tables *t = y->t;
    int size = t->size;
    s32 worth[2] = {0, 0};
    u64 key = 0;
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < t->classes; c++) {
            const s32 *values = y->on_square + (s * t->classes + c) * size;
            const u64 *keys = y->keys + (s * t->classes + c) * size;
            int royal = t->royal >> c & 1;
            for (B left = p->piece[s][c]; any(left);) {
                int at = take(&left);
                key ^= keys[at];
                if (!royal) worth[s] += values[at];
            }
        }
    B fresh = {0};
    for (u32 left = t->flags & REGIONS ? 0 : t->fresh; left; left &= left - 1)
        fresh |= p->piece[0][__builtin_ctz(left)] | p->piece[1][__builtin_ctz(left)];
    B rest[3] = {p->rights, p->passed, fresh & p->unmoved};
    const u64 *keys = y->keys + 2 * t->classes * size;
    for (int i = 0; i < 3; i++)
        for (B left = rest[i]; any(left);) key ^= keys[i * size + take(&left)];
    if (p->side) key ^= keys[3 * size];
    s64 value = (s64)worth[0] - worth[1];
    if (t->flags & EXTRA) {
        u64 first = (u64)(2 * t->classes * size + 3 * size + 1);
        for (B left = p->promoted; any(left);) key ^= mix(first + (u64)take(&left));
        first += (u64)size;
        for (int s = 0; s < 2; s++) {
            for (int c = 0; c < t->classes; c++)
                if (p->hands[s][c]) {
                    key ^= mix(first + (u64)(s * t->classes + c) * 256 + p->hands[s][c]);
                    value += (s ? -1 : 1) * (s64)p->hands[s][c] * y->worth[s][c];
                }
            if (t->check_goal) key ^= mix(first + (u64)(2 * t->classes) * 256 + (u64)(s * 100) + p->checks[s]);
        }
    }
    for (u32 left = t->royal; left; left &= left - 1)
        for (int s = 0, c = __builtin_ctz(left); s < 2; s++) {
            const s32 *values = (worth[!s] < CALM ? y->active : y->on_square) + (s * t->classes + c) * size;
            for (B kings = p->piece[s][c]; any(kings);) value += (s ? -1 : 1) * values[take(&kings)];
        }
    if (!worth[0] || !worth[1]) value += mop_up(y, p, worth[0], worth[1]);
    *found = key;
    value = value > MOST_VALUE ? MOST_VALUE : value < -MOST_VALUE ? -MOST_VALUE : value;
    return (s32)(p->side ? -value : value);
}
/* The worth of what a move takes from the other side, and of what a promotion adds. */
static s32 gain_of(const Player *y, const Position *p, const Move *move, B taken) {
    const s32 *own = y->worth[p->side], *other = y->worth[!p->side];
    s32 gain = own[move->becomes] - own[move->class];
    for (int c = 0; c < y->t->classes; c++) {
        B hit = p->piece[!p->side][c] & taken;
        if (any(hit)) gain += other[c] * pop(hit);
    }
    return gain;
}
static Record *record_of(Player *y, int side, const Text *text, int make) {
    u64 place = text->words[0] * 0x9E3779B97F4A7C15u ^ text->words[1] * 0xBF58476D1CE4E5B9u ^ text->words[2];
    for (u32 i = (u32)(place >> 40);; i++) {
        Record *record = &y->history[side][i & (RECORDS - 1)];
        if (record->stamp == y->stamp && text_order(&record->text, text)) continue;
        if (record->stamp == y->stamp) return record;
        if (!make || y->recorded[side]++ >= RECORDS / 2) return NULL;
        *record = (Record){*text, 0, y->stamp};
        return record;
    }
}
/* Space for the moves of a position, which are ordered there; NULL if there is no memory. */
static Ordered *ordered_room(Search *x, size_t count) {
    if (x->ordered_used + count > ORDERED) { /* of hundreds of queens */
        Ordered *found = malloc((count + 1) * sizeof *found);
        if (!found) x->run.state = NO_MEMORY;
        return found;
    }
    Ordered *found = x->ordered + x->ordered_used;
    x->ordered_used += count;
    return found;
}
static void leave_room(Search *x, Ordered *moves) {
    if (moves >= x->ordered && moves < x->ordered + ORDERED + 1) x->ordered_used = (size_t)(moves - x->ordered);
    else free(moves);
}
/* Whether the game is over, as `Position.outcome` says, with so many moves; `value` is what that is worth. */
static int ended(const Tables *t, const Position *p, size_t moves, int ply, s32 *value) {
    int winner = t->flags & EXTRA ? winner_by_goal(t, p) : -1;
    *value = 0;
    if (winner < 0 && t->flags & ROYAL_TERM && !(t->flags & CHECK)) winner = winner_by_capture(t, p);
    if (winner < 0 && moves) return 0;
    if (winner < 0 && is_checked(t, p, p->side)) winner = !p->side;
    if (winner < 0 && !t->stalemate) return 1;
    if (winner < 0) winner = t->stalemate == 1 ? p->side : !p->side;
    *value = winner == p->side ? MATE - ply : ply - MATE;
    return 1;
}
/* Count a move that is made, unless there are no more nodes or no more time. */
static int may_make(Search *x) {
    if (tick(&x->run)) return 0;
    if (x->searched == x->left || (x->end > 0 && !(x->searched & 31) && seconds_now() > x->end)) {
        x->run.state = OUT;
        return 0;
    }
    x->searched++;
    return 1;
}
static s32 search_captures(Search *x, const Position *p, s32 value, s32 alpha, s32 beta, int ply, int left,
    size_t from) {
    Run *run = &x->run;
    Player *y = x->y;
    if (value >= beta || !left) return value;
    if (from == run->used && !x->early) { run->captures_only = 1; list_moves(run, p); run->captures_only = 0; }
    s32 best = value;
    if (value > alpha) alpha = value;
    B foe = p->occupied[!p->side];
    Ordered *moves = ordered_room(x, run->used - from);
    u32 count = 0;
    for (size_t i = from; moves && i < run->used; i++) {
        Ordered *o = &moves[count];
        o->move = run->moves[i];
        B taken = taken_by(run->t, p, &o->move) & foe;
        if (!any(taken)) continue;
        o->gain = gain_of(y, p, &o->move, taken);
        o->order = y->worth[p->side][o->move.class] - 8 * (s64)o->gain;
        write_text(y, p, &o->move, &o->text);
        count++;
    }
    run->used = from;
    for (u32 i = 0; i < count && !run->state; i++) {
        Ordered *o = next_in_order(moves, i, count);
        if (value + o->gain + MARGIN <= alpha) continue;
        if (!may_make(x)) break;
        Position q;
        s32 got;
        u64 key;
        play(run->t, p, &q, &o->move);
        size_t start = run->used;
        if (x->early) list_moves(run, &q);
        if (x->early && ended(run->t, &q, run->used - start, ply + 1, &got)) got = -got;
        else got = -search_captures(x, &q, look(y, &q, &key), -beta, -alpha, ply + 1, left - 1, start);
        run->used = start;
        if (run->state) break;
        if (got > best) { best = got; if (got > alpha) alpha = got; if (got >= beta) break; }
    }
    leave_room(x, moves);
    return best;
}
static s32 search_moves(Search *x, const Position *p, int depth, s32 alpha, s32 beta, int ply) {
    Run *run = &x->run;
    Player *y = x->y;
    size_t from = run->used;
    s32 value, ending;
    u64 key;
    x->length[ply] = 0;
    if (x->early) {
        list_moves(run, p);
        if (ply && ended(run->t, p, run->used - from, ply, &ending)) { run->used = from; return ending; }
    }
    value = look(y, p, &key);
    if (ply) {
        for (int i = x->path_count - 1; i >= 0; i--)
            if (x->path[i] == key) { run->used = from; return 0; }
        if (p->halfmoves >= 100) {
            if (!x->early) list_moves(run, p);
            int some = run->used > from;
            if (some || !x->early) run->used = from;
            if (some) return 0;
        }
    }
    if (depth <= 0) {
        value = search_captures(x, p, value, alpha, beta, ply, MOST_CAPTURES, from);
        run->used = from;
        return value;
    }
    Entry *entry = &y->entries[key & (ENTRIES - 1)];
    Text before = {{0}};
    int has_before = 0;
    if (ply == 0) {
        if (x->depth) before = x->line[0], has_before = 1;
    } else if (entry->stamp == y->stamp && entry->key == key) {
        s32 known = entry->value;
        before = entry->best, has_before = 1;
        if (known > DECIDED) known -= ply;
        else if (known < -DECIDED) known += ply;
        if (entry->depth >= depth && (entry->bound == EXACT || (entry->bound == AT_LEAST && known >= beta) ||
                                      (entry->bound == AT_MOST && known <= alpha))) {
            run->used = from;
            return known;
        }
    }
    if (!x->early) list_moves(run, p);
    B foe = p->occupied[!p->side];
    Ordered *moves = ordered_room(x, run->used - from);
    u32 count = 0;
    for (size_t i = from; moves && i < run->used; i++) {
        Ordered *o = &moves[count];
        o->move = run->moves[i];
        write_text(y, p, &o->move, &o->text);
        if (!ply && x->root_count) {
            int wanted = 0;
            for (int n = 0; n < x->root_count && !wanted; n++) wanted = !text_order(&x->roots[n], &o->text);
            if (!wanted) continue;
        }
        B taken = taken_by(run->t, p, &o->move) & foe;
        o->quiet = !any(taken);
        if (has_before && !text_order(&before, &o->text)) o->order = -BEST_ORDER;
        else if (!o->quiet)
            o->order = -CAPTURE_ORDER - 8 * (s64)gain_of(y, p, &o->move, taken) + y->worth[p->side][o->move.class];
        else { Record *record = record_of(y, p->side, &o->text, 0); o->order = record ? -record->value : 0; }
        count++;
    }
    run->used = from;
    if (!moves) return 0;
    if (!count) { leave_room(x, moves); return ended(run->t, p, 0, ply, &ending) ? ending : 0; }
    s32 first = alpha, best = -MATE - 1, got = 0;
    Text best_text = moves[0].text;
    x->path[x->path_count++] = key;
    if (!ply && !x->line_length) { /* the first in order, if there is time for none */
        x->line[0] = next_in_order(moves, 0, count)->text, x->line_length = 1;
    }
    for (u32 i = 0; i < count && !run->state; i++) {
        Ordered *o = next_in_order(moves, i, count);
        if (!i) best_text = o->text;
        if (!may_make(x)) break;
        Position q;
        play(run->t, p, &q, &o->move);
        int less = depth >= 3 && i >= 6 && o->quiet;
        if (i) got = search_moves(x, &q, depth - 1 - less, -alpha - 1, -alpha, ply + 1);
        if (!run->state && (!i || (-got > alpha && (less || -got < beta))))
            got = search_moves(x, &q, depth - 1, -beta, -alpha, ply + 1);
        if (run->state) break;
        if (-got > best) {
            best = -got, best_text = o->text;
            if (best > alpha) {
                alpha = best;
                Text *line = x->pv[ply];
                line[0] = o->text;
                memcpy(line + 1, x->pv[ply + 1], (size_t)x->length[ply + 1] * sizeof *line);
                x->length[ply] = x->length[ply + 1] + 1;
                if (!ply) {
                    x->line_length = x->length[0];
                    memcpy(x->line, line, (size_t)x->line_length * sizeof *line);
                    x->value = best;
                }
            }
            if (best >= beta) {
                if (o->quiet) {
                    Record *record = record_of(y, p->side, &o->text, 1);
                    if (record) record->value += depth * depth;
                    else run->state = NO_MEMORY;
                }
                break;
            }
        }
    }
    x->path_count--;
    leave_room(x, moves);
    if (run->state) return 0;
    s32 kept = best > DECIDED ? best + ply : best < -DECIDED ? best - ply : best;
    *entry = (Entry){key, best_text, kept, y->stamp, (u8)depth,
        best <= first ? AT_MOST : best >= beta ? AT_LEAST : EXACT};
    return best;
}
static COLD void free_player(void *player) {
    Player *y = player;
    for (int s = 0; s < 2; s++) free(y->history[s]);
    free(y->on_square), free(y->active), free(y->keys), free(y->entries), free(y);
}
static COLD void *read_player(const void *tables, Reader *r) {
    Player *y = calloc(1, sizeof *y);
    if (!y) return NULL;
    const Tables *t = y->t = tables;
    int size = t->size;
    size_t pieces = (size_t)(2 * t->classes * size), keys = pieces + 3 * (size_t)size + 1;
    y->on_square = room(r, pieces, sizeof *y->on_square), y->active = room(r, pieces, sizeof *y->active);
    y->keys = room(r, keys, sizeof *y->keys), y->entries = room(r, ENTRIES, sizeof *y->entries);
    for (int s = 0; s < 2; s++) y->history[s] = room(r, RECORDS, sizeof *y->history[s]);
    for (int c = 0; c < t->classes; c++) y->letters[c] = (u8)('a' + number(r, 26));
    for (int s = 0; s < 2; s++) y->to_partner[s] = word(r);
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < t->classes; c++) y->worth[s][c] = (s32)number(r, 2 * MOST_WORTH) - MOST_WORTH;
    for (size_t i = 0; i < pieces && !r->bad; i++) y->on_square[i] = (s32)number(r, 2 * MOST_WORTH) - MOST_WORTH;
    for (size_t i = 0; i < pieces && !r->bad; i++) y->active[i] = (s32)number(r, 2 * MOST_WORTH) - MOST_WORTH;
    for (size_t i = 0; i < keys && !r->bad; i++) y->keys[i] = mix(i);
    for (int i = 0; i < size; i++) {
        int rank = i / t->files + 1;
        u64 name = (u64)('a' + i % t->files) << 56;
        y->names[i] = rank < 10 ? name | (u64)('0' + rank) << 48
                                : name | (u64)('0' + rank / 10) << 48 | (u64)('0' + rank % 10) << 40;
    }
    if (r->bad || r->at != r->end) { free_player(y); return NULL; }
    return y;
}
static COLD int think(void *player, Reader *state, Reader *asking, Asked asked, u64 *found) {
    Player *y = player;
    Search *x = calloc(1, sizeof *x);
    if (!x) return NO_MEMORY;
    x->run = (Run){.t = y->t, .asked = asked, .next = seconds_now() + 0.1};
    x->y = y, x->early = !(y->t->flags & CHECK) || y->t->flags & EXTRA;
    Position p;
    int read = read_position(state, y->t, &p);
    x->left = (s64)word(asking);
    u64 microseconds = word(asking);
    x->end = microseconds ? seconds_now() + 1e-6 * (double)microseconds : 0;
    int deepest = (int)number(asking, DEPTHS + 1);
    x->path_count = (int)number(asking, MOST_PATH);
    for (int i = 0; i < x->path_count; i++) x->path[i] = word(asking);
    x->root_count = (int)number(asking, MOST_MOVES);
    x->roots = room(asking, (size_t)x->root_count, sizeof *x->roots);
    for (int i = 0; i < x->root_count && !asking->bad; i++)
        for (int n = 0; n < TEXT_WORDS; n++) x->roots[i].words[n] = word(asking);
    x->ordered = malloc((ORDERED + 1) * sizeof *x->ordered);
    int done = BAD_INPUT;
    if (read && !asking->bad && asking->at == asking->end && deepest >= 1 && x->ordered) {
        if (++y->stamp == 0) { /* every four thousand million searches */
            memset(y->entries, 0, ENTRIES * sizeof *y->entries);
            for (int s = 0; s < 2; s++) memset(y->history[s], 0, RECORDS * sizeof *y->history[s]);
            y->stamp = 1;
        }
        y->recorded[0] = y->recorded[1] = 0;
        for (int plies = 1; plies <= deepest; plies++) {
            s32 value = search_moves(x, &p, plies, -MATE, MATE, 0);
            if (x->run.state) break;
            x->depth = plies;
            if ((value > DECIDED || value < -DECIDED) && MATE - abs(value) <= plies) break;
        }
        done = x->run.state == OUT ? DONE : x->run.state;
        found[0] = (u64)x->searched, found[1] = (u64)x->depth, found[2] = (u64)(s64)x->value,
            found[3] = (u64)x->line_length;
        for (int i = 0; i < x->line_length; i++)
            memcpy(found + 4 + i * TEXT_WORDS, x->line[i].words, sizeof x->line[i].words);
    }
    free(x->run.moves), free(x->run.codes), free(x->ordered), free(x->roots), free(x);
    return done;
}
/* ---------------------------------------------------------------------------------- lists, and games by chance */
#define MORE ((u64)1 << 63) /* in the number of a move that captures on its way */
/* A move as a number, as packed_moves.py has it; `way` are the squares where it captures on its way. */
static u64 packed(const Tables *t, const Position *p, const Move *move, B *way) {
    B taken = taken_by(t, p, move), to = bit(move->target);
    u64 code = (u64)move->class << 24 | (u64)move->origin << 16 | (u64)move->target << 8;
    code |= (any(taken & to) ? 128u : 0u) | (move->promoted ? move->becomes + 1u : 0u);
    *way = move->kind == WALK ? taken & ~to : to ^ to;
    if (move->kind == CASTLING) {
        const Castle *c = &t->castles[p->side][move->extra];
        code |= (u64)partner_class(p, c) << 48 | (u64)low(c->partner_to) << 40 | (u64)low(c->partner) << 32 | 2u << 29;
    } else if (move->kind == EN_PASSANT) code |= (u64)low(taken) << 32 | 1u << 29;
    else if (move->kind == DROP) code |= 3u << 29;
    else if (passed_by(t, p, move, taken) != NONE) code |= (u64)1 << 53;
    return any(*way) ? code | MORE : code;
}
static int comes_later(const Run *x, const Position *p, size_t at, const Move *move, u64 code) {
    B one, other;
    if (!(x->codes[at] & code & MORE)) return x->codes[at] > code;
    packed(x->t, p, &x->moves[at], &one), packed(x->t, p, move, &other);
    for (int i = W - 1; i >= 0; i--)
        if (EACH_WORD(one, i) != EACH_WORD(other, i)) return EACH_WORD(one, i) > EACH_WORD(other, i);
    return x->codes[at] > code;
}
/* Add all legal moves to the list of a run, in order of their numbers, or in that of Python if this is asked for. */
static void list_in_order(Run *x, const Position *p) {
    size_t from = x->used, gap = 1;
    B way;
    list_moves(x, p);
    for (size_t i = from; i < x->used; i++) x->codes[i] = packed(x->t, p, &x->moves[i], &way);
    if (x->as_python) return;
    while (gap < (x->used - from) / 99) gap = 3 * gap + 1; /* most are in order */
    for (; gap; gap /= 3)
        for (size_t i = from + gap; i < x->used; i++) {
            Move move = x->moves[i];
            u64 code = x->codes[i];
            size_t at = i;
            for (; at >= from + gap && comes_later(x, p, at - gap, &move, code); at -= gap)
                x->moves[at] = x->moves[at - gap], x->codes[at] = x->codes[at - gap];
            x->moves[at] = move, x->codes[at] = code;
        }
}
typedef struct { u64 *at; size_t used, room; } Row; /* words; what goes beyond the room is only counted */
static inline void put(Row *row, u64 word) {
    if (row->used < row->room) row->at[row->used] = word;
    row->used++;
}
/* Write the number of a move of a list in order and, if it captures on its way, those squares. */
static inline void put_move(const Run *x, const Position *p, size_t at, Row *row) {
    B way;
    put(row, x->codes[at]);
    if (x->codes[at] & MORE) packed(x->t, p, &x->moves[at], &way);
    for (int i = 0; i < W && x->codes[at] & MORE; i++) put(row, EACH_WORD(way, i));
}
static void list_after(Run *x, const Position *p, int plies, Row *row) {
    size_t from = x->used, head = row->used;
    s32 value;
    if (tick(x)) return;
    list_in_order(x, p);
    size_t end = x->used;
    int over = ended(x->t, p, end - from, 0, &value);
    for (size_t i = from; plies && !over && i < end && !x->state; i++) {
        Position q;
        play(x->t, p, &q, &x->moves[i]);
        list_after(x, &q, plies - 1, row);
    }
    if (!plies) {
        put(row, 0);
        if (over) put(row, !value ? 0 : (value > 0) == p->side ? 2 : 1);
        for (size_t i = from; i < end && !over; i++) put_move(x, p, i, row);
        u64 more = over || end == from ? 0 : x->codes[end - 1] & MORE;
        if (head < row->room) row->at[head] = (row->used - head - 1) | more;
    }
    x->used = from;
}
static int count_or_list(const void *tables, u64 *call) {
    Run x = {.t = tables, .asked = (Asked)(uintptr_t)call[ASKED], .as_python = !!call[AS_PYTHON]};
    const u64 *state = (const u64 *)(uintptr_t)call[STATE];
    Reader r = {state, state + call[COUNT], 0};
    Position p;
    Row row = {call + FOUND + 1, 0, (size_t)call[ROOM]};
    if (x.asked) x.next = seconds_now() + 0.1;
    if (call[PLIES] < !row.room || call[PLIES] > MOST_DEPTH || !read_position(&r, x.t, &p)) return BAD_INPUT;
    if (x.as_python) {
        x.as_python = !(x.t->flags & EXTRA);
        list_in_order(&x, &p);
        for (size_t i = 0; i < x.used; i++) put_move(&x, &p, i, &row);
    } else if (row.room) list_after(&x, &p, (int)call[PLIES], &row);
    call[FOUND] = row.room ? row.used : leaves(&x, &p, (int)call[PLIES]);
    free(x.moves), free(x.codes);
    return x.state;
}
/* Whether both sides have nothing but royal pieces, of classes that are `calm` with each other. */
static COLD int is_dull(const Tables *t, const Position *p, const u32 *calm) {
    if (t->flags & EXTRA || !(t->flags & CHECK) || any(p->occupied[0] & ~royals_of(t, p, 0))) return 0;
    for (int c = 0; c < t->classes; c++)
        for (int other = 0; other < t->classes && any(p->piece[0][c]); other++)
            if (any(p->piece[1][other]) && !(calm[c] >> other & 1)) return 0;
    return !any(p->occupied[1] & ~royals_of(t, p, 1));
}
/* Play a game by chance, as random_games.py says; 3 words, the plies, why it ended and all choices, then the moves. */
static COLD int play_by_chance(const void *player, Reader *state, Reader *asking, Asked asked, u64 *found) {
    const Player *y = player;
    Run x = {.t = y->t, .asked = asked, .next = seconds_now() + 0.1};
    Position p, q;
    u64 seed = word(asking), most = number(asking, MOST_PATH), plies = 0, choices = 0, end = 0;
    u32 calm[MOST_CLASSES];
    Row row = {found, 3, 3 + (size_t)most * (W + 1)};
    for (int c = 0; c < y->t->classes; c++) calm[c] = number(asking, (u64)1 << y->t->classes);
    u64 *keys = malloc((size_t)(most + 1) * sizeof *keys);
    int able = read_position(state, y->t, &p) && !asking->bad && asking->at == asking->end && keys;
    for (; able && !tick(&x); p = q) {
        s32 value, seen = 0;
        x.used = 0;
        list_in_order(&x, &p);
        look(y, &p, &keys[plies]);
        for (u64 i = 0; i <= plies; i++) seen += keys[i] == keys[plies];
        if (ended(y->t, &p, x.used, 0, &value) || is_dull(y->t, &p, calm)) end = GAME_OVER;
        else end = seen == 3 ? THREEFOLD : p.halfmoves >= 100 ? FIFTY : plies == most ? LONG : 0;
        if (end || x.state) break;
        size_t at = (size_t)((mix(seed + plies++) >> 32) * x.used >> 32);
        choices += x.used;
        put_move(&x, &p, at, &row);
        play(y->t, &p, &q, &x.moves[at]);
    }
    found[0] = plies, found[1] = end, found[2] = choices;
    free(x.moves), free(x.codes), free(keys);
    return able ? x.state : BAD_INPUT;
}
const Calls CALLS = {read_tables, read_player, free_tables, free_player, count_or_list, think, play_by_chance};

#endif
