/* Counting moves and looking ahead, for any pieces: the fast twin of generator.py, perft.py and move_search.py.

   It knows no piece by its name. Python compiles movements into lanes, walks and routes (tables.py) and passes
   them as one row of 64-bit words; `kernel_new` reads that row, checks each number in it and keeps a copy. After that
   nothing is written to the tables, so any number of threads may use them; all else is kept by each call for itself.
   Whatever it finds is what the Python modules find: the same moves, the same order, the same number of nodes.

   The file includes itself once for each width of a board, of 64, 128 and 256 squares. */

#ifndef W
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(_WIN32)
#define PUBLIC __declspec(dllexport)
#else
#define PUBLIC __attribute__((visibility("default")))
#endif

typedef uint64_t u64;
typedef int64_t s64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;

/* What tables.py writes first, and what is never more than this. */
enum { MAGIC = 0x4e6f6d6b, MOST_CLASSES = 26, MOST_CASTLES = 64, MOST_GOALS = 16, MOST_LANES = 1 << 20 };
enum { MOST_DEPTH = 64, MOST_MOVES = 1 << 22, MOST_ROUTES = 1 << 22 };
/* What a lane is for, and how its squares lie. */
enum { QUIET = 1, CAPTURE = 2, SPARE = 4, DESTROY = 8, PASSING = 16, INITIAL = 32, ATTACKS = 64 };
enum { UP, DOWN, CROOKED, LEAPS };
/* Options of the rules. */
enum { CHECK = 1, REGIONS = 2, EXTRA = 4, HANDS = 8, FORCED = 16, ROYAL_TERM = 32 };
enum { REMOVE, CONVERT, EXPLODE, EXPLODE_ROYALS, CAPTOR, OWNER };
enum { LOST_ALL, BARE, EXTINCT, CHECKS, REACH };
enum { ORDINARY, EN_PASSANT, WALK, CASTLING, DROP };
/* How a call ended. */
enum { DONE, STOPPED, NO_MEMORY, BAD_INPUT };

typedef struct { u8 class, origin, target, becomes, kind, promoted; u32 extra; } Move;
typedef struct { const u64 *at, *end; int bad; } Reader;
/* Asked about ten times a second: whatever it answers but 0 ends the call. */
typedef int (*Asked)(void);

static u64 word(Reader *r) {
    if (r->at == r->end) { r->bad = 1; return 0; }
    return *r->at++;
}
/* The next word, which must be below `limit`. */
static u32 number(Reader *r, u64 limit) {
    u64 found = word(r);
    if (found >= limit) { r->bad = 1; return 0; }
    return (u32)found;
}
static void *room(Reader *r, size_t count, size_t size) {
    void *found = r->bad ? NULL : calloc(count ? count : 1, size);
    if (!found) r->bad = 1;
    return found;
}
static u64 mix(u64 n) {
    u64 bits = (n + 1) * 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}
static double seconds_now(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define JOIN2(a, b, c) a##_##b##c
#define JOIN(a, b, c) JOIN2(a, b, c)
#define NAME(name) JOIN(name, W, TUNED)
#define B NAME(B)
#define Lane NAME(Lane)
#define Walk NAME(Walk)
#define Route NAME(Route)
#define Movement NAME(Movement)
#define Force NAME(Force)
#define Castle NAME(Castle)
#define Goal NAME(Goal)
#define Tables NAME(Tables)
#define Position NAME(Position)
#define Safety NAME(Safety)
#define Run NAME(Run)
#define bit NAME(bit)
#define any NAME(any)
#define pop NAME(pop)
#define low NAME(low)
#define high NAME(high)
#define has NAME(has)
#define take NAME(take)
#define board NAME(board)
#define one NAME(one)
#define ride NAME(ride)
#define reach NAME(reach)
#define unmet NAME(unmet)
#define attacked NAME(attacked)
#define royals_of NAME(royals_of)
#define unmoved_of NAME(unmoved_of)
#define look_for_danger NAME(look_for_danger)
#define is_safe NAME(is_safe)
#define is_checked NAME(is_checked)
#define can_pass NAME(can_pass)
#define can_walk NAME(can_walk)
#define can_castle NAME(can_castle)
#define count_moves NAME(count_moves)
#define add NAME(add)
#define add_choices NAME(add_choices)
#define list_pieces NAME(list_pieces)
#define list_castlings NAME(list_castlings)
#define list_moves NAME(list_moves)
#define list_extra NAME(list_extra)
#define keeps_royals NAME(keeps_royals)
#define taken_by NAME(taken_by)
#define remaining NAME(remaining)
#define play NAME(play)
#define play_extra NAME(play_extra)
#define pieces_left NAME(pieces_left)
#define meets NAME(meets)
#define winner_by_goal NAME(winner_by_goal)
#define leaves NAME(leaves)
#define tick NAME(tick)
#define read_movement NAME(read_movement)
#define read_tables NAME(read_tables)
#define read_position NAME(read_position)
#define free_tables NAME(free_tables)
#define perft NAME(perft)

/* A processor that counts bits and finds them in one step gets a copy of its own. */
#define TUNED
#define W 1
#include __FILE__
#undef W
#define W 2
#include __FILE__
#undef W
#define W 4
#include __FILE__
#undef W
#undef TUNED
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define HAS_TUNED 1
#define TUNED t
#pragma GCC push_options
#pragma GCC target("popcnt,bmi,bmi2,avx2")
#define W 1
#pragma GCC push_options
#pragma GCC optimize("O3") /* worth its size for most boards */
#include __FILE__
#pragma GCC pop_options
#undef W
#define W 2
#include __FILE__
#undef W
#define W 4
#include __FILE__
#undef W
#pragma GCC pop_options
#undef TUNED
static int is_tuned(void) {
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("avx2");
}
#define CALL(handle, name, arguments)                                                                                  \
    ((handle)->tuned ? (handle)->width == 1   ? name##_1t arguments                                                    \
                       : (handle)->width == 2 ? name##_2t arguments                                                    \
                                              : name##_4t arguments                                                    \
     : (handle)->width == 1 ? name##_1 arguments                                                                       \
     : (handle)->width == 2 ? name##_2 arguments                                                                       \
                            : name##_4 arguments)
#else
static int is_tuned(void) { return 0; }
#define CALL(handle, name, arguments)                                                                                  \
    ((handle)->width == 1 ? name##_1 arguments : (handle)->width == 2 ? name##_2 arguments : name##_4 arguments)
#endif
#undef free_tables
#undef read_tables
#undef perft

typedef struct { int width, tuned; void *tables; } Kernel;

/* The mark of the source that this was compiled from. */
PUBLIC u64 kernel_mark(void) { return KERNEL_MARK; }

/* Return tables made from `count` words, or NULL if any of these is not as tables.py writes it. */
PUBLIC Kernel *kernel_new(const u64 *words, size_t count) {
    Reader reader = {words, words + count, 0};
    u32 magic = number(&reader, (u64)MAGIC + 1), width = number(&reader, 5);
    if (reader.bad || magic != MAGIC || !(width == 1 || width == 2 || width == 4)) return NULL;
    Kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel) return NULL;
    kernel->width = (int)width;
    kernel->tuned = is_tuned();
    kernel->tables = CALL(kernel, read_tables, (&reader));
    if (!kernel->tables) { free(kernel); return NULL; }
    return kernel;
}

PUBLIC void kernel_free(Kernel *kernel) {
    if (!kernel) return;
    CALL(kernel, free_tables, (kernel->tables));
    free(kernel);
}

/* Write into `leaves` in how many ways a position can go on for `depth` plies. */
PUBLIC int kernel_perft(const Kernel *kernel, const u64 *words, size_t count, int depth, Asked asked, u64 *leaves) {
    Reader reader = {words, words + count, 0};
    return CALL(kernel, perft, (kernel->tables, &reader, depth, asked, leaves));
}

#else /* ------------------------------------------------------------------ once for each width of a board, W words */

#if W == 1
typedef u64 B;
#define EACH_WORD(b, i) (b)
#else
typedef u64 B __attribute__((vector_size(8 * W), aligned(8)));
#define EACH_WORD(b, i) (b)[i]
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
typedef struct { const Movement *movement; B zone, drops, stuck; u8 count, mandatory, within, choices[MOST_CLASSES]; } Force;
typedef struct { B right, king, king_to, partner, partner_to, clear, way; u32 king_class, partner_classes; } Castle;
typedef struct { u32 kind, classes; B region[2]; } Goal;
typedef struct {
    int size, files, classes, movement_count, goal_count, castle_count[2], flags, capture, stalemate, check_goal, tried;
    int first_pawn;
    u32 pawns, royal, fresh;
    B full, regions[2], homes[2], partners[2], promotion_zone[2], watched;
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
    u16 hands[2][MOST_CLASSES];
    u8 checks[2];
    B piece[2][MOST_CLASSES];
} Position;
/* What keeps the royal pieces of the side to move safe: `goal` where others may go, `pinned` and `touchy` squares
   whose leaving, or leaving and entering, has to be tried, and `all` if each move has to be. */
typedef struct { B royals, goal, pinned, touchy; int checked, all; } Safety;
typedef struct {
    const Tables *t;
    Move *moves;
    size_t used, most;
    Asked asked;
    double next;
    u32 ticks;
    int state;
} Run;

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

static void read_movement(Reader *r, Movement *m, int size) {
    u32 lanes = number(r, MOST_LANES), walks = number(r, MOST_LANES), orders = number(r, MOST_ROUTES);
    u32 routes = number(r, MOST_ROUTES), given = 0, ordered = 0;
    size_t pairs = (size_t)size * (size_t)size;
    m->lanes = room(r, lanes, sizeof *m->lanes);
    m->walks = room(r, walks, sizeof *m->walks);
    m->order = room(r, orders, 1);
    m->lane_from = room(r, (size_t)size + 1, sizeof *m->lane_from);
    m->walk_from = room(r, (size_t)size + 1, sizeof *m->walk_from);
    m->sources = room(r, (size_t)size, sizeof *m->sources);
    m->passing = room(r, (size_t)size, sizeof *m->passing);
    m->route_from = room(r, pairs + 2, sizeof *m->route_from);
    m->plain = m->simple = 1;
    Route *found = room(r, routes, sizeof *found);
    u32 *pair = room(r, routes, sizeof *pair);
    u32 lane = 0, walk = 0;
    for (int o = 0; o < size && !r->bad; o++) {
        m->lane_from[o] = lane;
        m->walk_from[o] = walk;
        for (u32 n = number(r, (u64)lanes - lane + 1); n && !r->bad; n--) {
            Lane *l = &m->lanes[lane++];
            l->flags = (u8)number(r, 128);
            l->order = (u8)number(r, LEAPS + 1);
            l->mask = board(r, size);
            l->need = board(r, size);
            l->squares = board(r, size);
            l->length = (u8)number(r, 256);
            l->first = ordered;
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
                        found[given].mask = mask & ~bit(at);
                        found[given].need = l->need & ~bit(at);
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
            w->empty = board(r, size);
            w->full = board(r, size);
            w->foe = board(r, size);
            w->own = board(r, size);
            w->gone = board(r, size);
            w->end = (u8)number(r, (u64)size);
            m->has_walks = 1;
        }
        for (u32 n = number(r, (u64)routes - given + 1); n && !r->bad; n--) {
            int at = (int)number(r, (u64)size);
            Route *route = &found[given];
            route->initial = (u8)number(r, 2);
            B empty = board(r, size);
            route->need = board(r, size);
            route->mask = empty | route->need;
            route->foe = board(r, size);
            route->own = board(r, size);
            pair[given++] = (u32)(at * size + o);
        }
    }
    if (!r->bad && (lane != lanes || walk != walks || given != routes || ordered != orders)) r->bad = 1;
    m->routes = room(r, routes, sizeof *m->routes);
    if (!r->bad) {
        m->lane_from[size] = lane;
        m->walk_from[size] = walk;
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
    free(found);
    free(pair);
}

static void free_tables(void *tables) {
    Tables *t = tables;
    if (!t) return;
    for (int i = 0; t->movements && i < t->movement_count; i++) {
        Movement *m = &t->movements[i];
        free(m->lanes), free(m->walks), free(m->order), free(m->lane_from), free(m->walk_from), free(m->sources);
        free(m->passing), free(m->route_from), free(m->routes), free(m->between);
    }
    free(t->movements), free(t->passed[0]), free(t->passed[1]), free(t->around), free(t->upto), free(t);
}

static void *read_tables(Reader *r) {
    Tables *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->size = (int)number(r, 64 * W + 1);
    t->files = (int)number(r, 17);
    t->classes = (int)number(r, MOST_CLASSES + 1);
    t->movement_count = (int)number(r, 2 * MOST_CLASSES + 1);
    t->flags = (int)number(r, 64);
    t->capture = (int)number(r, OWNER + 1);
    t->stalemate = (int)number(r, 3);
    t->check_goal = (int)number(r, 100);
    t->tried = t->capture >= CONVERT && t->capture <= EXPLODE_ROYALS;
    if (!t->size || !t->files || t->size % t->files || !t->classes || !t->movement_count) r->bad = 1;
    u64 kinds = (u64)1 << t->classes;
    t->pawns = number(r, kinds), t->royal = number(r, kinds), t->fresh = number(r, kinds);
    t->first_pawn = (int)number(r, (u64)t->classes);
    t->full = board(r, t->size);
    int size = r->bad ? 0 : t->size;
    size_t pairs = (size_t)size * (size_t)size;
    t->movements = room(r, (size_t)t->movement_count, sizeof *t->movements);
    t->upto = room(r, (size_t)size, sizeof *t->upto);
    t->around = room(r, (size_t)size, sizeof *t->around);
    for (int i = 0; i < size && !r->bad; i++) t->upto[i] = bit(i) | (i ? t->upto[i - 1] : bit(i));
    for (int i = 0; t->capture >= EXPLODE && t->capture <= EXPLODE_ROYALS && i < size && !r->bad; i++)
        t->around[i] = board(r, size);
    for (int i = 0; i < t->movement_count && !r->bad; i++) read_movement(r, &t->movements[i], size);
    for (int s = 0; s < 2 && !r->bad; s++) {
        t->regions[s] = board(r, size);
        t->homes[s] = board(r, size);
        t->partners[s] = board(r, size);
        t->promotion_zone[s] = board(r, size);
        t->watched |= t->homes[s] | t->partners[s];
        for (int c = 0; c < t->classes && !r->bad; c++) {
            Force *f = &t->force[s][c];
            f->movement = &t->movements[number(r, (u64)t->movement_count)];
            f->zone = board(r, size);
            f->drops = board(r, size);
            f->stuck = board(r, size);
            f->mandatory = (u8)number(r, 2);
            f->within = (u8)number(r, 256);
            if (f->within != 255 && f->within >= t->classes) r->bad = 1;
            f->count = (u8)number(r, MOST_CLASSES + 1);
            for (int i = 0; i < f->count; i++) f->choices[i] = (u8)number(r, (u64)t->classes);
        }
        t->castle_count[s] = (int)number(r, MOST_CASTLES + 1);
        for (int i = 0; i < t->castle_count[s] && !r->bad; i++) {
            Castle *c = &t->castles[s][i];
            c->right = one(r, size, 0), c->king = one(r, size, 0), c->king_to = one(r, size, 0);
            c->partner = one(r, size, 0), c->partner_to = one(r, size, 0);
            c->clear = board(r, size), c->way = board(r, size);
            c->king_class = number(r, (u64)t->classes);
            c->partner_classes = number(r, kinds);
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
        g->kind = number(r, REACH + 1);
        g->classes = number(r, kinds);
        g->region[0] = board(r, size), g->region[1] = board(r, size);
    }
    if (r->at != r->end) r->bad = 1;
    if (r->bad) { free_tables(t); return NULL; }
    return t;
}

static int read_position(Reader *r, const Tables *t, Position *p) {
    memset(p, 0, sizeof *p);
    B seen = {0};
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < t->classes; c++) {
            p->piece[s][c] = board(r, t->size);
            if (any(p->piece[s][c] & (seen | ~t->full))) r->bad = 1;
            seen |= p->piece[s][c];
            p->occupied[s] |= p->piece[s][c];
        }
    p->rights = board(r, t->size);
    p->passed = one(r, t->size, 1);
    p->passer = one(r, t->size, 1);
    p->unmoved = board(r, t->size);
    p->promoted = board(r, t->size);
    p->side = (int)number(r, 2);
    p->halfmoves = (int)number(r, 1 << 20);
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < t->classes; c++) p->hands[s][c] = (u16)number(r, 1 << 12);
    for (int s = 0; s < 2; s++) p->checks[s] = (u8)number(r, 100);
    return !r->bad && r->at == r->end;
}

/* -------------------------------------------------------------------------------------------- where a piece may go */

static inline B ride(const Tables *t, const Movement *m, const Lane *l, B occupied) {
    B stops = occupied & l->squares;
    if (l->order == LEAPS || !any(stops)) return l->squares;
    if (l->order == UP) return l->squares & t->upto[low(stops)];
    if (l->order == DOWN) {
        int last = high(stops);
        return l->squares & (~t->upto[last] | bit(last));
    }
    B reached = {0};
    for (u32 i = l->first;; i++) {
        reached |= bit(m->order[i]);
        if (has(stops, m->order[i])) return reached;
    }
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
            if (m->simple) {
                if (!any(m->between[pair] & occupied)) return 1;
                continue;
            }
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
        if (attacked(t, p, !side, take(&left), p->occupied[0] | p->occupied[1], p->occupied[0] ^ p->occupied[0])) return 1;
    return 0;
}
static void look_for_danger(const Tables *t, const Position *p, Safety *f) {
    int by = !p->side;
    memset(f, 0, sizeof *f);
    f->goal = t->full;
    if (!(t->flags & CHECK)) return;
    f->royals = royals_of(t, p, p->side);
    if (!any(f->royals)) return;
    if (pop(f->royals) > 1) {
        f->all = 1;
        f->checked = is_checked(t, p, p->side);
        return;
    }
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
            for (u32 i = m->route_from[pair]; i < m->route_from[pair + 1]; i++) {
                const Route *route = &m->routes[i];
                if (route->initial && !has(fresh, o)) continue;
                B missing = unmet(route, occupied, own);
                int count = pop(missing), odd = any(route->need | route->foe | route->own);
                if (count == 0) {
                    f->checked = 1;
                    if (odd) f->all = 1;
                    else f->goal &= route->mask | bit(o);
                } else if (odd && count <= 2) f->touchy |= route->mask | route->foe | route->own;
                else if (count == 1) f->pinned |= missing;
            }
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
    return able && is_safe(t, p, f->royals, c, bit(o), p->passed, ((occupied ^ bit(o)) & ~p->passer) | p->passed, p->passer);
}
static int can_walk(const Tables *t, const Position *p, const Safety *f, int c, int o, const Walk *w, B occupied) {
    B own = p->occupied[p->side], home = bit(o), to = bit(w->end), there = occupied & ~home;
    if (w->initial && !has(unmoved_of(t, p, p->side), o)) return 0;
    if (any((w->empty & there) | (w->full & ~there) | (w->foe & ~(there & ~own)) | (w->own & ~(own & ~home)))) return 0;
    B taken = w->gone | (to & there);
    if (any(taken & royals_of(t, p, p->side))) return 0;
    return is_safe(t, p, f->royals, c, home, to, ((occupied ^ home) & ~taken) | to, taken);
}
static int can_castle(const Tables *t, const Position *p, const Safety *f, const Castle *c) {
    B occupied = p->occupied[0] | p->occupied[1], none = occupied ^ occupied;
    int by = !p->side;
    if (!any(p->rights & c->right) || any(occupied & c->clear) || !any(p->piece[p->side][c->king_class] & c->king)) return 0;
    for (u32 left = c->partner_classes;; left &= left - 1) {
        if (!left) return 0;
        if (any(p->piece[p->side][__builtin_ctz(left)] & c->partner)) break;
    }
    if (!any(f->royals)) return 1;
    for (B left = c->way; any(left);)
        if (attacked(t, p, by, take(&left), occupied, none)) return 0;
    B after = (occupied & ~c->king & ~c->partner) | c->king_to | c->partner_to;
    return !attacked(t, p, by, low(c->king_to), after, none);
}
/* A walk as the one before, which leads to the same end over the same captures. */
#define SAME_WALK(w, before) (!any((w)->gone ^ (before)->gone) && (w)->end == (before)->end)

/* The number of legal moves under rules without more than movement and check. */
static u64 count_moves(const Tables *t, const Position *p) {
    Safety f;
    look_for_danger(t, p, &f);
    u64 total = 0;
    int s = p->side;
    B occupied = p->occupied[0] | p->occupied[1];
    for (int c = 0; c < t->classes; c++) {
        const Force *force = &t->force[s][c];
        const Movement *m = force->movement;
        int tried = f.all || t->royal >> c & 1, more = force->count - force->mandatory;
        B pieces = p->piece[s][c];
        while (any(pieces)) {
            int o = take(&pieces);
            B to = reach(t, p, m, o, occupied), zone = force->zone;
            if (any(f.royals)) {
                B test = to & f.touchy;
                if (tried || has(f.pinned | f.touchy, o)) test = to;
                else to &= f.goal, test &= to;
                while (any(test)) {
                    int at = take(&test);
                    B there = bit(at);
                    if (!is_safe(t, p, f.royals, c, bit(o), there, (occupied ^ bit(o)) | there, there & occupied)) to &= ~there;
                }
            }
            total += (u64)pop(to);
            if (any(to & zone)) total += (u64)((s64)pop(to & zone) * more);
            const Walk *before = NULL;
            for (u32 i = m->walk_from[o]; m->has_walks && i < m->walk_from[o + 1]; i++) {
                const Walk *w = &m->walks[i];
                if ((before && SAME_WALK(w, before)) || !can_walk(t, p, &f, c, o, w, occupied)) continue;
                before = w;
                total += (u64)(has(zone, w->end) ? 1 + more : 1);
            }
        }
        if (m->passes && any(p->passed & ~occupied))
            for (B able = p->piece[s][c] & m->passing[low(p->passed)]; any(able);)
                if (can_pass(t, p, &f, c, take(&able), occupied)) total += (u64)(any(force->zone & p->passed) ? 1 + more : 1);
    }
    if (any(p->rights) && !f.checked)
        for (int i = 0; i < t->castle_count[s]; i++) total += (u64)can_castle(t, p, &f, &t->castles[s][i]);
    return total;
}

static void add(Run *x, int c, int o, int to, int becomes, int kind, int promoted, u32 extra) {
    if (x->used == x->most) {
        size_t most = x->most ? 2 * x->most : 1024;
        Move *moves = most > MOST_MOVES ? NULL : realloc(x->moves, most * sizeof *moves);
        if (!moves) { x->state = NO_MEMORY; return; }
        x->moves = moves;
        x->most = most;
    }
    x->moves[x->used++] = (Move){(u8)c, (u8)o, (u8)to, (u8)becomes, (u8)kind, (u8)promoted, extra};
}
static void add_choices(Run *x, int side, int c, int o, int to, int kind, u32 extra) {
    const Force *force = &x->t->force[side][c];
    if (!has(force->zone, to)) { add(x, c, o, to, c, kind, 0, extra); return; }
    for (int i = 0; i < force->count; i++) add(x, c, o, to, force->choices[i], kind, 1, extra);
    if (!force->mandatory) add(x, c, o, to, c, kind, 0, extra);
}
static void list_pieces(Run *x, const Position *p, const Safety *f) {
    const Tables *t = x->t;
    int s = p->side;
    B occupied = p->occupied[0] | p->occupied[1];
    for (int c = 0; c < t->classes; c++) {
        const Movement *m = t->force[s][c].movement;
        int tried = f->all || t->royal >> c & 1;
        B pieces = p->piece[s][c];
        while (any(pieces)) {
            int o = take(&pieces);
            B to = reach(t, p, m, o, occupied), test = f->touchy;
            if (tried || has(f->pinned | f->touchy, o)) test = to;
            else to &= f->goal;
            while (any(to)) {
                int at = take(&to);
                B there = bit(at);
                if (any(f->royals) && has(test, at) &&
                    !is_safe(t, p, f->royals, c, bit(o), there, (occupied ^ bit(o)) | there, there & occupied)) continue;
                add_choices(x, s, c, o, at, ORDINARY, 0);
            }
            const Walk *before = NULL;
            for (u32 i = m->walk_from[o]; m->has_walks && i < m->walk_from[o + 1]; i++) {
                const Walk *w = &m->walks[i];
                if ((before && SAME_WALK(w, before)) || !can_walk(t, p, f, c, o, w, occupied)) continue;
                before = w;
                add_choices(x, s, c, o, w->end, WALK, i);
            }
        }
        if (m->passes && any(p->passed & ~occupied))
            for (B able = p->piece[s][c] & m->passing[low(p->passed)]; any(able);) {
                int o = take(&able);
                if (can_pass(t, p, f, c, o, occupied)) add_choices(x, s, c, o, low(p->passed), EN_PASSANT, 0);
            }
    }
}
static void list_castlings(Run *x, const Position *p, const Safety *f) {
    const Tables *t = x->t;
    if (!any(p->rights) || f->checked) return;
    for (int i = 0; i < t->castle_count[p->side]; i++) {
        const Castle *c = &t->castles[p->side][i];
        if (can_castle(t, p, f, c))
            add(x, (int)c->king_class, low(c->king), low(c->king_to), (int)c->king_class, CASTLING, 0, (u32)i);
    }
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
    q->rights = remaining(t, q->rights, gone);
    q->unmoved &= ~gone;
}
/* Make in `q` the position after a move in `p`. */
static inline void play(const Tables *t, const Position *p, Position *q, const Move *move) {
    int s = p->side, e = !s, c = move->class;
    B to = bit(move->target), taken = taken_by(t, p, move), none = to ^ to;
    B from = move->kind == DROP ? none : bit(move->origin), touched = from | to | taken;
    memcpy(q, p, offsetof(Position, piece));
    for (int i = 0; i < t->classes; i++) q->piece[0][i] = p->piece[0][i], q->piece[1][i] = p->piece[1][i];
    if (any(taken)) {
        for (int i = 0; i < t->classes; i++) q->piece[e][i] &= ~taken;
        q->occupied[e] &= ~taken;
        if (any(taken & p->occupied[s])) {
            for (int i = 0; i < t->classes; i++) q->piece[s][i] &= ~taken;
            q->occupied[s] &= ~taken;
        }
    }
    q->piece[s][c] &= ~from;
    q->occupied[s] &= ~from;
    if (move->kind == CASTLING) {
        const Castle *castle = &t->castles[s][move->extra];
        u32 left = castle->partner_classes;
        while (left & (left - 1) && !any(p->piece[s][__builtin_ctz(left)] & castle->partner)) left &= left - 1;
        B *partner = &q->piece[s][__builtin_ctz(left)];
        *partner = (*partner & ~castle->partner) | castle->partner_to;
        q->occupied[s] = (q->occupied[s] & ~castle->partner) | castle->partner_to;
        touched |= castle->partner;
    }
    q->piece[s][move->becomes] |= to;
    q->occupied[s] |= to;
    if (any(p->rights) && any(touched & t->watched)) q->rights = remaining(t, p->rights, touched);
    q->passed = q->passer = none;
    if (move->kind == ORDINARY && t->pawns >> c & 1 && !any(taken)) {
        u16 over = t->passed[s][move->origin * t->size + move->target];
        if (over != NONE) q->passed = bit(over), q->passer = to;
    }
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
    for (; classes; classes &= classes - 1) {
        int c = __builtin_ctz(classes);
        found += pop(p->piece[side][c]) + p->hands[side][c];
    }
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
    if (t->capture == EXPLODE_ROYALS && t->flags & ROYAL_TERM) {
        int white = any(royals_of(t, p, 0)), black = any(royals_of(t, p, 1));
        if (white != black) return black;
    }
    return -1;
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
    if (t->tried) {
        Safety bold = {.goal = t->full};
        list_pieces(x, p, &bold);
        size_t kept = from;
        for (size_t i = from; i < x->used; i++)
            if (keeps_royals(t, p, &x->moves[i])) x->moves[kept++] = x->moves[i];
        x->used = kept;
    } else list_pieces(x, p, &f);
    list_castlings(x, p, &f);
    if (t->flags & EXTRA) list_extra(x, p, &f, from);
}

/* --------------------------------------------------------------------------------------------------------- counting */

/* Whether the run has to end, which is asked from time to time. */
static inline int tick(Run *x) {
    if (x->state || ++x->ticks & 255) return x->state;
    double now = seconds_now();
    if (now >= x->next || now < x->next - 1) {
        x->next = now + 0.1;
        if (x->asked && x->asked()) x->state = STOPPED;
    }
    return x->state;
}
static u64 leaves(Run *x, const Position *p, int depth) {
    if (tick(x)) return 0;
    if (depth == 1 && !(x->t->flags & EXTRA)) return count_moves(x->t, p);
    size_t from = x->used;
    list_moves(x, p);
    size_t end = x->used;
    u64 total = 0;
    if (depth == 1) total = end - from;
    else
        for (size_t i = from; i < end && !x->state; i++) {
            Position q;
            Move move = x->moves[i];
            play(x->t, p, &q, &move);
            total += leaves(x, &q, depth - 1);
        }
    x->used = from;
    return total;
}
static int perft(const void *tables, Reader *r, int depth, Asked asked, u64 *found) {
    Run x = {.t = tables, .asked = asked, .next = seconds_now() + 0.1};
    Position p;
    if (depth < 1 || depth > MOST_DEPTH || !read_position(r, x.t, &p)) return BAD_INPUT;
    *found = leaves(&x, &p, depth);
    free(x.moves);
    return x.state;
}

#undef EACH_WORD
#undef NONE
#undef SAME_WALK
#endif
